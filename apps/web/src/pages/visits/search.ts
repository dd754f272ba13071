import { readFilters, type Filters } from '../../filters/visit-filters.js';
import { readRange, type RangeSearch } from '../../range/range.js';
import { readColumns, type ColumnName } from '../../visit-table/visit-columns.js';

/** What the page shows, as its address says. */
export interface VisitsSearch extends RangeSearch, Filters {
  /** The newest first unless given. */
  order?: 'oldest';
  /** Names of columns with commas between them; without, those that this browser remembers. */
  columns?: string;
}

/** Reads an address; what does not fit is left out. */
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
