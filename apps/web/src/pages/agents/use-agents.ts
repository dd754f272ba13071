import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { client, data } from '../../api/client.js';
import { rangeQuery, type AgentRow, type AgentsParameters, type VisitingAgents } from '../../api/statistics.js';
import type { ShownRange } from '../../range/use-range.js';
import { sortOf, type AgentsSearch, type SortKey } from './search.js';

const PAGE = 50;
/** Largest page size that the server allows. */
const EXPORT_PAGE = 1_000;

function parameters(search: AgentsSearch, shown: ShownRange): AgentsParameters {
  const { q, type } = search;
  const { key, direction } = sortOf(search);
  return {
    ...rangeQuery(shown),
    sort: key as SortKey,
    direction,
    ...(q !== undefined && { search: q }),
    ...(type !== undefined && { type: [type as never] }),
  };
}

const page = (projectId: string, query: AgentsParameters, cursor: string | null): Promise<VisitingAgents> => {
  const params = { path: { id: projectId }, query: { ...query, ...(cursor !== null && { cursor }) } };
  return data(client.GET('/api/projects/{id}/agents', { params }));
};

export function useAgents(projectId: string, search: AgentsSearch, shown: ShownRange) {
  const query = { ...parameters(search, shown), limit: PAGE };
  return useInfiniteQuery({
    queryKey: ['projects', projectId, 'agents', query],
    queryFn: ({ pageParam: cursor }) => page(projectId, query, cursor),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

/** Reads all matching agents, for exports. */
export async function readAllAgents(projectId: string, search: AgentsSearch, shown: ShownRange): Promise<AgentRow[]> {
  const query = { ...parameters(search, shown), limit: EXPORT_PAGE };
  const agents: AgentRow[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { agents: more, next_cursor: next } = await page(projectId, query, cursor ?? null);
    agents.push(...more);
    cursor = next;
  }
  return agents;
}
