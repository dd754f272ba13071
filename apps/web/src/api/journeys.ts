import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ConsoleQuery, Journey, Journeys, JourneySummary } from '#libs/contracts';
import { client, data } from './client.js';
import { REFRESH_OPTIONS, type Range } from './statistics.js';

export type { Journey, JourneySummary };

export type Session = Journeys['journeys'][number];
export type JourneyFilters = Omit<ConsoleQuery<'getJourneySummary'>, 'from' | 'to'>;

export const journeySummaryQuery = (id: string, { from, to }: Range, filters: JourneyFilters) =>
  queryOptions({
    queryKey: ['projects', id, 'journey-summary', from, to, filters],
    queryFn: () => {
      const params = { path: { id }, query: { ...filters, from, to } };
      return data(client.GET('/api/projects/{id}/journey-summary', { params }));
    },
    ...REFRESH_OPTIONS,
  });

/** Maximum number of sessions per request. */
export const MAX_SESSIONS_PER_PAGE = 200;

export const journeysQuery = (id: string, { from, to }: Range, filters: JourneyFilters, limit: number) =>
  infiniteQueryOptions({
    queryKey: ['projects', id, 'journeys', from, to, filters, limit],
    queryFn: ({ pageParam: cursor }) => {
      const query = { ...filters, from, to, limit, ...(cursor !== null && { cursor }) };
      return data(client.GET('/api/projects/{id}/journeys', { params: { path: { id }, query } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

/** Returns all sessions that match. */
export async function readSessions(id: string, { from, to }: Range, filters: JourneyFilters): Promise<Session[]> {
  const sessions: Session[] = [];
  let cursor: string | null = null;
  do {
    const query = { ...filters, from, to, limit: MAX_SESSIONS_PER_PAGE, ...(cursor !== null && { cursor }) };
    const page: Journeys = await data(client.GET('/api/projects/{id}/journeys', { params: { path: { id }, query } }));
    sessions.push(...page.journeys);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return sessions;
}

export const journeyQuery = (id: string, journeyId: string) =>
  queryOptions({
    queryKey: ['projects', id, 'journeys', journeyId],
    queryFn: () => data(client.GET('/api/projects/{id}/journeys/{journeyId}', { params: { path: { id, journeyId } } })),
  });
