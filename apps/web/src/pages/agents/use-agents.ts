import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { client, data } from '../../api/client.js';
import { toRangeParameters, type AgentRow, type AgentsParameters, type VisitingAgents } from '../../api/statistics.js';
import type { ShownRange } from '../../range/use-range.js';
import { toSort, type AgentsSearch, type SortKey } from './search.js';

const PAGE_SIZE = 50;
/** Maximum page size that the server allows. */
const EXPORT_PAGE_SIZE = 1_000;

function toQueryParameters(search: AgentsSearch, range: ShownRange): AgentsParameters {
  const { q, type } = search;
  const { key, direction } = toSort(search);
  return {
    ...toRangeParameters(range),
    sort: key as SortKey,
    direction,
    ...(q !== undefined && { search: q }),
    ...(type !== undefined && { type: [type as never] }),
  };
}

const fetchPage = (projectId: string, query: AgentsParameters, cursor: string | null): Promise<VisitingAgents> => {
  const params = { path: { id: projectId }, query: { ...query, ...(cursor !== null && { cursor }) } };
  return data(client.GET('/api/projects/{id}/agents', { params }));
};

export function useAgents(projectId: string, search: AgentsSearch, range: ShownRange) {
  const query = { ...toQueryParameters(search, range), limit: PAGE_SIZE };
  return useInfiniteQuery({
    queryKey: ['projects', projectId, 'agents', query],
    queryFn: ({ pageParam: cursor }) => fetchPage(projectId, query, cursor),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}

export async function fetchAllAgents(projectId: string, search: AgentsSearch, range: ShownRange): Promise<AgentRow[]> {
  const query = { ...toQueryParameters(search, range), limit: EXPORT_PAGE_SIZE };
  const agents: AgentRow[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { agents: more, next_cursor: next } = await fetchPage(projectId, query, cursor ?? null);
    agents.push(...more);
    cursor = next;
  }
  return agents;
}
