import { parseFilters, type Filters } from '../../filters/visit-filters.js';

/** Filters for the Realtime page. There's no address filter because searching by address requires a time range. */
type RealtimeSearch = Omit<Filters, 'address'>;

export function parseRealtimeSearch(search: Record<string, unknown>): RealtimeSearch {
  const { address: _, ...filters } = parseFilters(search);
  return filters;
}
