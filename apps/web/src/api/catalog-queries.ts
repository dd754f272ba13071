import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client, data, versioned } from './client.js';
import type { AgentListItem, AgentRecord, ConsoleQuery, SeenAgents } from '#libs/contracts';

export type { AgentRecord };

export type Agent = AgentListItem;
export type AgentType = Agent['type'];
export type SeenAgent = SeenAgents['agents'][number];
type AgentFilters = Pick<ConsoleQuery<'listAgents'>, 'search' | 'type' | 'operator' | 'origin'>;

const PAGE_SIZE = 100;

export const catalogQuery = queryOptions({
  queryKey: ['catalog'],
  queryFn: () => data(client.GET('/api/catalog')),
  staleTime: 60_000,
});

export const agentsQuery = (filters: AgentFilters) =>
  infiniteQueryOptions({
    queryKey: ['catalog', 'agents', filters],
    queryFn: ({ pageParam, signal }) =>
      data(
        client.GET('/api/agents', {
          params: { query: { ...filters, limit: PAGE_SIZE, ...(pageParam !== null && { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });

/** Summaries of all agents, including their visits to the user's projects in the last 30 days. */
export const seenAgentsQuery = queryOptions({
  queryKey: ['catalog', 'seen agents'],
  queryFn: () => data(client.GET('/api/seen-agents')),
  staleTime: 30_000,
});

/** @param name Agent token or ID. */
export const agentQuery = (name: string) =>
  queryOptions({
    queryKey: ['catalog', 'agent', name],
    queryFn: () => versioned(client.GET('/api/agents/{agent}', { params: { path: { agent: name } } })),
    staleTime: 30_000,
  });

export const explanationQuery = (userAgent: string) =>
  queryOptions({
    queryKey: ['catalog', 'explanation', userAgent],
    queryFn: () =>
      data(client.POST('/api/identifications', { body: { request_headers: { 'User-Agent': userAgent } } })),
    staleTime: 30_000,
  });
