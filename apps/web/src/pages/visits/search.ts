import { parseFilters, type Filters } from '../../filters/visit-filters.js';
import { parseRangeSearch, type RangeSearch } from '../../range/range.js';
import { parseColumns, type ColumnName } from '../../visit-table/visit-columns.js';

export interface VisitsSearch extends RangeSearch, Filters {
  /** Sort order. Default: newest first. */
  order?: 'oldest';
  /** Comma-separated column names. Default: the columns saved in this browser. */
  columns?: string;
}

/** Parses URL search parameters and ignores invalid ones. */
export function parseVisitsSearch(search: Record<string, unknown>): VisitsSearch {
  const columns = parseColumns(search['columns']);
  return {
    ...parseRangeSearch(search),
    ...parseFilters(search),
    ...(search['order'] === 'oldest' && { order: 'oldest' as const }),
    ...(columns !== null && { columns: columnsText(columns) }),
  };
}

export const columnsText = (columns: readonly ColumnName[]): string => columns.join(',');
