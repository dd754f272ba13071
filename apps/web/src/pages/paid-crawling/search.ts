import { parseRangeSearch, type RangeSearch } from '../../range/range.js';

const PAYMENT_TABS = ['agents', 'users', 'prices', 'returns'] as const;
export type PaymentTab = (typeof PAYMENT_TABS)[number];

const PAYMENT_SPLITS = ['reaction', 'type'] as const;
export type PaymentSplit = (typeof PAYMENT_SPLITS)[number];

export interface PaidCrawlingSearch extends RangeSearch {
  /** Tab of the card below the chart. Default: the first one. */
  tab?: PaymentTab;
  /** Series of the chart. Default: reactions. */
  split?: PaymentSplit | undefined;
}

/** Parses the URL search parameters and ignores invalid ones. */
export function parsePaidCrawlingSearch(search: Record<string, unknown>): PaidCrawlingSearch {
  const tab = PAYMENT_TABS.find((name) => name === search['tab']);
  const split = PAYMENT_SPLITS.find((name) => name === search['split']);
  return {
    ...parseRangeSearch(search),
    ...(tab !== undefined && { tab }),
    ...(split !== undefined && { split }),
  };
}
