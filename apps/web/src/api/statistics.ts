import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';
import type {
  ConsoleQuery,
  News,
  Overview,
  Referrals,
  VerificationOverview,
  VisitTotals,
  VisitingAgent,
  VisitingAgents,
} from '#libs/contracts';

export type { News, Overview, Referrals, VisitingAgent, VisitingAgents };

export type Totals = VisitTotals;
export type AgentRow = VisitingAgents['agents'][number];
export type Verification = VerificationOverview;
export type Spoof = Verification['spoofs'][number];
export type NewsItem = News['items'][number];
export type Bucket = Overview['bucket'];
export type AgentsParameters = ConsoleQuery<'listVisitingAgents'>;

export interface Range {
  from: string;
  to: string;
}

interface ComparedRange extends Range {
  /** When the range to compare with starts; undefined: right before this one; "none": there is none. */
  compareFrom?: string | undefined;
}

export const rangeQuery = ({ from, to, compareFrom }: ComparedRange) => ({
  from,
  to,
  ...(compareFrom !== undefined && { compare_from: compareFrom }),
});

/** Numbers of a range come anew now and then; while another range is read, the last one stays. */
export const REFRESH = { refetchInterval: 30_000, placeholderData: keepPreviousData } as const;

type OverviewParameters = ConsoleQuery<'getOverview'>;

/** @param filters as parameters of the interface, with whose visits are counted. */
export const overviewQuery = (id: string, range: ComparedRange, filters: OverviewParameters = {}) =>
  queryOptions({
    queryKey: ['projects', id, 'overview', rangeQuery(range), filters],
    queryFn: () => {
      const query = { ...filters, ...rangeQuery(range) };
      return data(client.GET('/api/projects/{id}/overview', { params: { path: { id }, query } }));
    },
    ...REFRESH,
  });

/** Null where it can't be read: the overview waits for an answer, and does without it. What is new is so beside an earlier range in any case. */
export const newsQuery = (id: string, { compareFrom, ...range }: ComparedRange) => {
  const query = rangeQuery({ ...range, ...(compareFrom !== 'none' && { compareFrom }) });
  return queryOptions({
    queryKey: ['projects', id, 'news', query],
    queryFn: () => data(client.GET('/api/projects/{id}/news', { params: { path: { id }, query } })).catch(() => null),
    ...REFRESH,
  });
};

export const verificationQuery = (id: string, { from, to }: Range) =>
  queryOptions({
    queryKey: ['projects', id, 'verification', from, to],
    queryFn: () =>
      data(client.GET('/api/projects/{id}/verification', { params: { path: { id }, query: { from, to } } })),
    ...REFRESH,
  });

export const referralsQuery = (id: string, range: ComparedRange) =>
  queryOptions({
    queryKey: ['projects', id, 'referrals', rangeQuery(range)],
    queryFn: () =>
      data(client.GET('/api/projects/{id}/referrals', { params: { path: { id }, query: rangeQuery(range) } })),
    ...REFRESH,
  });

export const agentQuery = (id: string, agentId: string, range: ComparedRange) =>
  queryOptions({
    queryKey: ['projects', id, 'agents', agentId, rangeQuery(range)],
    queryFn: () =>
      data(
        client.GET('/api/projects/{id}/agents/{agentId}', {
          params: { path: { id, agentId }, query: rangeQuery(range) },
        }),
      ),
    refetchInterval: 30_000,
  });
