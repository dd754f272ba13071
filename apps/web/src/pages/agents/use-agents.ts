import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { client, data } from '../../api/client.js';
import type { AgentsParameters } from '../../api/statistics.js';
import type { Range } from '../../range/range.js';
import type { AgentsSearch } from './search.js';

const PAGE = 50;

/** The agents of a range that fit, page by page. */
export function useAgents(projectId: string, { q, type, sort }: AgentsSearch, { from, to }: Range) {
  const query: AgentsParameters = {
    from,
    to,
    limit: PAGE,
    ...(q !== undefined && { search: q }),
    ...(type !== undefined && { type: [type as never] }),
    ...(sort !== undefined && { sort }),
  };
  return useInfiniteQuery({
    queryKey: ['projects', projectId, 'agents', query],
    queryFn: ({ pageParam: cursor }) => {
      const params = { path: { id: projectId }, query: { ...query, ...(cursor !== null && { cursor }) } };
      return data(client.GET('/api/projects/{id}/agents', { params }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}
