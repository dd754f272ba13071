import { useQuery } from '@tanstack/react-query';
import { createContext } from 'react';
import { summariesQuery } from '../api/queries.js';
import { hasEarlierData } from '../format/change.js';
import { toComparedRange } from './comparison.js';
import type { ShownRange } from './use-range.js';

/** False if the page's comparison range starts before the first visit, so changes aren't calculated. */
export const EarlierDataContext = createContext(true);

/** Returns false if the comparison range starts before the first visit. */
export function useEarlierData(projectId: string, data: unknown, shown: ShownRange): boolean {
  const { data: summaries } = useQuery({ ...summariesQuery, refetchInterval: false });
  const from = isCompared(data) ? data.compared_from : toComparedRange(shown)?.from;
  if (summaries === undefined || from === undefined) return true;
  const firstVisitAt = summaries.find(({ project_id: id }) => id === projectId)?.first_visit_at ?? null;
  return hasEarlierData(firstVisitAt === null ? null : Date.parse(firstVisitAt), Date.parse(from));
}

interface Compared {
  compared_from: string;
}

const isCompared = (data: unknown): data is Compared =>
  typeof data === 'object' && data !== null && 'compared_from' in data;
