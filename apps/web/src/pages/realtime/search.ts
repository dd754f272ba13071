import { readFilters, type Filters } from '../../filters/visit-filters.js';

/** Filters of the live page: the address of a visit can be looked for in a range of time only. */
export type RealtimeSearch = Omit<Filters, 'address'> & {
  /** The page of a range was here before; `beforeLoad` leads on to it. */
  from?: unknown;
  to?: unknown;
};

export function readRealtime(search: Record<string, unknown>): RealtimeSearch {
  const { from, to } = search;
  // As it came, for the page of a range to read.
  if (from !== undefined && to !== undefined) return search as RealtimeSearch;
  const { address: _, ...filters } = readFilters(search);
  return filters;
}
