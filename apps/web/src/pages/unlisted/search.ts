import { parseRangeSearch, type RangeSearch } from '../../range/range.js';

export interface UnlistedSearch extends RangeSearch {
  /** Which visits to show. Default: only those by likely programs. */
  show?: 'unclear' | 'all';
}

export function parseUnlistedSearch(search: Record<string, unknown>): UnlistedSearch {
  const { show } = search;
  return { ...parseRangeSearch(search), ...((show === 'unclear' || show === 'all') && { show }) };
}
