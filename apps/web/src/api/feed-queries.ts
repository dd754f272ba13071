import { queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';
import type { AgentFeed, ConsoleQuery, FeedAgent } from '#libs/contracts';

export type { AgentFeed, FeedAgent };

export type FeedAgentState = FeedAgent['state'];
type FeedAgentsQuery = ConsoleQuery<'listFeedAgents'>;

const MAX_FEED_AGENTS = 1_000;
/** Polling interval while a feed is waiting to be fetched. */
const POLL_INTERVAL_MS = 1_000;

export const agentFeedsQuery = queryOptions({
  queryKey: ['catalog', 'feeds'],
  queryFn: () => data(client.GET('/api/agent-feeds')),
  staleTime: 30_000,
  refetchInterval: ({ state }) =>
    state.data?.feeds.some((feed) => feed.state === 'waiting') ? POLL_INTERVAL_MS : false,
});

export const feedAgentsQuery = (query: Pick<FeedAgentsQuery, 'state' | 'feed_id'>) =>
  queryOptions({
    queryKey: ['catalog', 'feed agents', query],
    queryFn: () =>
      data(client.GET('/api/agent-proposals', { params: { query: { ...query, limit: MAX_FEED_AGENTS } } })),
    staleTime: 30_000,
  });

/** Number of visits that each proposed agent would match. */
export const proposalVisitsQuery = queryOptions({
  queryKey: ['catalog', 'proposal visits'],
  queryFn: () => data(client.GET('/api/agent-proposals/visits')),
  staleTime: 60_000,
});
