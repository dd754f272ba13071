import { readRange, type RangeSearch } from '../../range/range.js';

export interface UnlistedSearch extends RangeSearch {
  /** Which visits are counted; those that a program likely made where it says nothing. */
  show?: 'unclear' | 'all';
}

export function readUnlisted(search: Record<string, unknown>): UnlistedSearch {
  const { show } = search;
  return { ...readRange(search), ...((show === 'unclear' || show === 'all') && { show }) };
}
