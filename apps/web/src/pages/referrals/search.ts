import { parseRangeSearch, type RangeSearch } from '../../range/range.js';

const REFERRAL_TABS = ['pages', 'assistants', 'operators'] as const;

export interface ReferralsSearch extends RangeSearch {
  /** Tab of the card with tables. Default: the first one. */
  tab?: (typeof REFERRAL_TABS)[number];
  /** View in the assistants drawer: the list, a single assistant, or the form for a new one. */
  assistants?: 'all' | 'one' | 'new';
  /** Assistant name, if `assistants` is `one`. */
  name?: string;
}

/** Parses the URL search parameters and ignores invalid ones. */
export function parseReferralsSearch(search: Record<string, unknown>): ReferralsSearch {
  const { assistants, name } = search;
  const tab = REFERRAL_TABS.find((known) => known === search['tab']);
  const range = { ...parseRangeSearch(search), ...(tab !== undefined && { tab }) };
  if (assistants === 'all' || assistants === 'new') return { ...range, assistants };
  const isName = (typeof name === 'string' && name !== '') || typeof name === 'number';
  return assistants === 'one' && isName ? { ...range, assistants, name: String(name) } : range;
}
