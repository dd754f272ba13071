import { readFilters, type Filters } from '../../filters/visit-filters.js';
import { readRange, type RangeSearch } from '../../range/range.js';
import { readColumns, type ColumnName } from '../../visit-table/visit-columns.js';

/** URL search parameters of the page. */
export interface VisitsSearch extends RangeSearch, Filters {
  /** Default: newest first. */
  order?: 'oldest';
  /** Comma-separated column names. Default: the columns remembered by this browser. */
  columns?: string;
}

/** Parses URL search parameters. Invalid ones are ignored. */
export function readVisits(search: Record<string, unknown>): VisitsSearch {
  const columns = readColumns(search['columns']);
  return {
    ...readRange(search),
    ...readFilters(search),
    ...(search['order'] === 'oldest' && { order: 'oldest' as const }),
    ...(columns !== null && { columns: columnsText(columns) }),
  };
}

export const columnsText = (columns: readonly ColumnName[]): string => columns.join(',');
