import { useQuery } from '@tanstack/react-query';
import { createContext } from 'react';
import { summariesQuery } from '../api/queries.js';
import { hasEarlierData, toComparedRange } from './comparison.js';
import type { ShownRange } from './use-range.js';

/** False if no visits were recorded yet in the page's comparison range, so changes aren't calculated. */
export const EarlierDataContext = createContext(true);

/** Returns false if the comparison range starts so long before the first visit that changes would be misleading. */
export function useEarlierData(projectId: string, data: unknown, shown: ShownRange): boolean {
  const { data: summaries } = useQuery({ ...summariesQuery, refetchInterval: false });
  const firstVisitAt = summaries?.find(({ project_id: id }) => id === projectId)?.first_visit_at ?? null;
  const compared = isCompared(data) ? data : toComparison(shown);
  // No visits in the comparison range are a result, because the page can be about a single agent.
  return compared === null || hasEarlierData({ ...compared, previous: { visits: 0 } }, firstVisitAt, true);
}

interface Compared {
  compared_from: string;
  compared_to: string;
}

const isCompared = (data: unknown): data is Compared =>
  typeof data === 'object' && data !== null && 'compared_from' in data && 'compared_to' in data;

/** Returns the comparison range of pages that request it separately. */
function toComparison(shown: ShownRange): Compared | null {
  const range = toComparedRange(shown);
  return range === null ? null : { compared_from: range.from, compared_to: range.to };
}
