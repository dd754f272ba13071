import { readRange, type RangeSearch } from '../../range/range.js';

export interface ReferralsSearch extends RangeSearch {
  /** View of the assistants drawer: all assistants, one of them, or the form for a new one. */
  assistants?: 'all' | 'one' | 'new';
  /** Name of the shown assistant, if `assistants` is `one`. */
  name?: string;
}

/** Parses URL search parameters. Invalid ones are ignored. */
export function readReferrals(search: Record<string, unknown>): ReferralsSearch {
  const { assistants, name } = search;
  const range = readRange(search);
  if (assistants === 'all' || assistants === 'new') return { ...range, assistants };
  const isName = (typeof name === 'string' && name !== '') || typeof name === 'number';
  return assistants === 'one' && isName ? { ...range, assistants, name: String(name) } : range;
}
