import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';
import type {
  ConsoleQuery,
  News,
  Overview,
  Referrals,
  UnverifiedResult,
  VerificationOverview,
  VisitTotals,
  VisitingAgent,
  VisitingAgents,
} from '#libs/contracts';

export type { News, Overview, Referrals, UnverifiedResult, VisitingAgent, VisitingAgents };

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
  /** Start of the comparison range, or "none". Default: the preceding range. */
  compareFrom?: string | undefined;
}

export const toRangeParameters = ({ from, to, compareFrom }: ComparedRange) => ({
  from,
  to,
  ...(compareFrom !== undefined && { compare_from: compareFrom }),
});

/** Query options that poll, and show the previous data while another range loads. */
export const REFRESH_OPTIONS = { refetchInterval: 30_000, placeholderData: keepPreviousData } as const;

type OverviewParameters = ConsoleQuery<'getOverview'>;

export const overviewQuery = (id: string, range: ComparedRange, filters: OverviewParameters = {}) =>
  queryOptions({
    queryKey: ['projects', id, 'overview', toRangeParameters(range), filters],
    queryFn: () => {
      const query = { ...filters, ...toRangeParameters(range) };
      return data(client.GET('/api/projects/{id}/overview', { params: { path: { id }, query } }));
    },
    ...REFRESH_OPTIONS,
  });

/**
 * News for a range, or null if the request fails, because the overview also works without news. News always compares
 * two ranges, so "none" selects the default comparison.
 */
export const newsQuery = (id: string, { compareFrom, ...range }: ComparedRange) => {
  const query = toRangeParameters({ ...range, ...(compareFrom !== 'none' && { compareFrom }) });
  return queryOptions({
    queryKey: ['projects', id, 'news', query],
    queryFn: () => data(client.GET('/api/projects/{id}/news', { params: { path: { id }, query } })).catch(() => null),
    ...REFRESH_OPTIONS,
  });
};

/** @param result Result of the visits that are grouped by agent and network. */
export const verificationQuery = (
  id: string,
  range: ComparedRange,
  result: UnverifiedResult = 'verification_failed',
) => {
  const query = { ...toRangeParameters(range), result };
  return queryOptions({
    queryKey: ['projects', id, 'verification', query],
    queryFn: () => data(client.GET('/api/projects/{id}/verification', { params: { path: { id }, query } })),
    ...REFRESH_OPTIONS,
  });
};

export const referralsQuery = (id: string, range: ComparedRange) =>
  queryOptions({
    queryKey: ['projects', id, 'referrals', toRangeParameters(range)],
    queryFn: () =>
      data(client.GET('/api/projects/{id}/referrals', { params: { path: { id }, query: toRangeParameters(range) } })),
    ...REFRESH_OPTIONS,
  });

export const agentQuery = (id: string, agentId: string, range: ComparedRange) =>
  queryOptions({
    queryKey: ['projects', id, 'agents', agentId, toRangeParameters(range)],
    queryFn: () =>
      data(
        client.GET('/api/projects/{id}/agents/{agentId}', {
          params: { path: { id, agentId }, query: toRangeParameters(range) },
        }),
      ),
    refetchInterval: 30_000,
  });
