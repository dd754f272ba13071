import { readRange, type RangeSearch } from '../../range/range.js';

export interface UnlistedSearch extends RangeSearch {
  /** Visits to show, by the likelihood of being a program. Default: likely programs. */
  show?: 'unclear' | 'all';
}

export function readUnlisted(search: Record<string, unknown>): UnlistedSearch {
  const { show } = search;
  return { ...readRange(search), ...((show === 'unclear' || show === 'all') && { show }) };
}
