import { readFilters, type Filters } from '../../filters/visit-filters.js';

/** Filters of the live page. Addresses can only be searched within a range. */
type RealtimeSearch = Omit<Filters, 'address'>;

export function readRealtime(search: Record<string, unknown>): RealtimeSearch {
  const { address: _, ...filters } = readFilters(search);
  return filters;
}
