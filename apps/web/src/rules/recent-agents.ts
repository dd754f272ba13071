import { useQuery } from '@tanstack/react-query';
import { complianceQuery } from '../api/compliance.js';
import { linkedRange, type RangeSearch } from '../range/range.js';
import { useRange } from '../range/use-range.js';

/** Number of days that the policy page counts visits in. */
export const DAYS = 30;
export const RECENT_SEARCH: RangeSearch = { range: '30d' };

/** Queries the agents that visited in the last 30 days, which start at midnight as on all other pages. */
export function useRecentAgents(projectId: string) {
  const range = useRange(projectId, RECENT_SEARCH);
  return { range: linkedRange(RECENT_SEARCH, range), query: useQuery(complianceQuery(projectId, range)) };
}
