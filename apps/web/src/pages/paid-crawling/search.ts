import { parseRangeSearch, type RangeSearch } from '../../range/range.js';

const PAYMENT_TABS = ['agents', 'users', 'prices', 'returns'] as const;
export type PaymentTab = (typeof PAYMENT_TABS)[number];

export interface PaidCrawlingSearch extends RangeSearch {
  /** Tab of the card below the chart. Default: the first one. */
  tab?: PaymentTab;
}

/** Parses the URL search parameters and ignores invalid ones. */
export function parsePaidCrawlingSearch(search: Record<string, unknown>): PaidCrawlingSearch {
  const tab = PAYMENT_TABS.find((name) => name === search['tab']);
  return { ...parseRangeSearch(search), ...(tab !== undefined && { tab }) };
}
