import type { FilteredPage } from '../api/saved-filters.js';

export const PAGE_NAMES: Record<FilteredPage, string> = {
  overview: 'Overview',
  visits: 'Visits',
  realtime: 'Realtime',
  agents: 'Agents',
};
