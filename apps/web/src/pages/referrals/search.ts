import { readRange, type RangeSearch } from '../../range/range.js';

export interface ReferralsSearch extends RangeSearch {
  /** The list of assistants is open: all of it, one of them, or a new one. */
  assistants?: 'all' | 'one' | 'new';
  /** Name of the one. */
  name?: string;
}

/** Reads an address; what does not fit is left out. */
export function readReferrals(search: Record<string, unknown>): ReferralsSearch {
  const { assistants, name } = search;
  const range = readRange(search);
  if (assistants === 'all' || assistants === 'new') return { ...range, assistants };
  const isName = (typeof name === 'string' && name !== '') || typeof name === 'number';
  return assistants === 'one' && isName ? { ...range, assistants, name: String(name) } : range;
}
