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
  /** Start of the comparison range, or "none". Default: the range right before this one. */
  compareFrom?: string | undefined;
}

export const rangeQuery = ({ from, to, compareFrom }: ComparedRange) => ({
  from,
  to,
  ...(compareFrom !== undefined && { compare_from: compareFrom }),
});

/** Polls, and keeps showing the previous data while another range loads. */
export const REFRESH = { refetchInterval: 30_000, placeholderData: keepPreviousData } as const;

type OverviewParameters = ConsoleQuery<'getOverview'>;

/** @param filters Query parameters that restrict the visits counted. */
export const overviewQuery = (id: string, range: ComparedRange, filters: OverviewParameters = {}) =>
  queryOptions({
    queryKey: ['projects', id, 'overview', rangeQuery(range), filters],
    queryFn: () => {
      const query = { ...filters, ...rangeQuery(range) };
      return data(client.GET('/api/projects/{id}/overview', { params: { path: { id }, query } }));
    },
    ...REFRESH,
  });

/**
 * News of a range, or null if the request fails: the overview waits for it but works without it. News always need a
 * comparison range, so "none" selects the default one.
 */
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
