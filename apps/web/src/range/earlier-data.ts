import { useQuery } from '@tanstack/react-query';
import { createContext } from 'react';
import { summariesQuery } from '../api/queries.js';
import { hasEarlierData } from './comparison.js';

/** False if no visits were recorded yet in the page's comparison range, so changes aren't calculated. */
export const EarlierDataContext = createContext(true);

/** Returns false if the comparison range starts so long before the first visit that changes would be misleading. */
export function useEarlierData(projectId: string, data: unknown): boolean {
  const { data: summaries } = useQuery({ ...summariesQuery, refetchInterval: false });
  const firstVisitAt = summaries?.find(({ project_id: id }) => id === projectId)?.first_visit_at ?? null;
  if (!isCompared(data)) return true;
  // No visits in the comparison range are a result, because the page can be about a single agent.
  return hasEarlierData({ ...data, previous: { visits: 0 } }, firstVisitAt, true);
}

const isCompared = (data: unknown): data is { compared_from: string; compared_to: string } =>
  typeof data === 'object' && data !== null && 'compared_from' in data && 'compared_to' in data;
