import { parseRangeSearch, type RangeSearch } from '../../range/range.js';

const TABS = ['tools', 'errors', 'callers', 'requests', 'versions'] as const;
/** Tabs in links to the payments, which have their own page now. */
const PAYMENT_TABS = ['agents', 'users', 'returns', 'prices'] as const;

export interface ToolsSearch extends RangeSearch {
  /** Tab of the card below the chart. Default: the first one. */
  tab?: (typeof TABS)[number];
  payments?: (typeof PAYMENT_TABS)[number];
}

/** Parses the URL search parameters and ignores invalid ones. */
export function parseToolsSearch(search: Record<string, unknown>): ToolsSearch {
  const tab = TABS.find((name) => name === search['tab']);
  const payments = PAYMENT_TABS.find((name) => name === search['payments']);
  return {
    ...parseRangeSearch(search),
    ...(tab !== undefined && { tab }),
    ...(payments !== undefined && { payments }),
  };
}
