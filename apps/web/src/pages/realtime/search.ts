import { readFilters, type Filters } from '../../filters/visit-filters.js';

/** Filters of the live page. Searching by address requires a range, so there is no address filter. */
type RealtimeSearch = Omit<Filters, 'address'>;

export function readRealtime(search: Record<string, unknown>): RealtimeSearch {
  const { address: _, ...filters } = readFilters(search);
  return filters;
}
