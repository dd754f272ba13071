import { parseRangeSearch, type RangeSearch } from '../../range/range.js';

/** Tabs of the page's cards, by search parameter. The first one is the default. */
const TABS = {
  tab: ['tools', 'errors', 'unknown', 'items', 'methods'],
  who: ['callers', 'clients', 'versions'],
  checkouts: ['agents', 'states'],
  payments: ['agents', 'users', 'returns', 'prices'],
} as const;

export type ToolsSearch = RangeSearch & { [K in keyof typeof TABS]?: (typeof TABS)[K][number] };

/** Parses the URL search parameters and ignores invalid ones. */
export const parseToolsSearch = (search: Record<string, unknown>): ToolsSearch => ({
  ...parseRangeSearch(search),
  ...Object.fromEntries(
    Object.entries(TABS).flatMap(([key, tabs]) =>
      (tabs as readonly unknown[]).includes(search[key]) ? [[key, search[key]]] : [],
    ),
  ),
});
