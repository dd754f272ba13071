import { overviewQuery } from '../../api/statistics.js';
import { toTimelineQuery } from '../../filters/visit-filters.js';
import type { ShownRange } from '../../range/use-range.js';
import type { VisitsSearch } from './search.js';

/** Options for requests about the list. Like the list, they don't refresh until the range or a filter changes. */
export const LIST_OPTIONS = { refetchInterval: false, refetchOnWindowFocus: false, staleTime: Infinity } as const;

/** Query options for the totals of the listed visits by verdict, over time and in the comparison range. */
export const visitsQuery = (projectId: string, search: VisitsSearch, shown: ShownRange) => ({
  ...overviewQuery(projectId, shown, { ...toTimelineQuery(search), visitors: 'all', breakdown: 'result' }),
  ...LIST_OPTIONS,
});
