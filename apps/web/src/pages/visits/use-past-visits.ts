import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { client, data, type Visit } from '../../api/client.js';
import type { Range } from '../../range/range.js';
import { timelineQuery } from '../../filters/visit-filters.js';
import type { VisitsSearch } from './search.js';

const PAGE = 100;

interface PastVisits {
  visits: readonly Visit[];
  hasMore: boolean;
  isLoading: boolean;
  error: unknown;
  /** The next page, unless the last one failed: that would be asked for without end. */
  more: () => void;
  /** The page that failed. */
  retry: () => void;
}

/** The visits of a range that fit, page by page, in the order that is wanted. */
export function usePastVisits(projectId: string, search: VisitsSearch, { from, to }: Range): PastVisits {
  const query = { ...timelineQuery(search), from, to, ...(search.order && { order: search.order }) };
  const pages = useInfiniteQuery({
    queryKey: ['projects', projectId, 'past visits', query],
    queryFn: ({ pageParam: cursor }) => {
      const params = { path: { id: projectId }, query: { ...query, limit: PAGE, ...(cursor !== null && { cursor }) } };
      return data(client.GET('/api/projects/{id}/visits', { params }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  const visits = useMemo(() => pages.data?.pages.flatMap((page) => page.visits) ?? [], [pages.data]);
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages;
  return {
    visits,
    hasMore: hasNextPage,
    isLoading: isFetching,
    error: pages.error,
    more: useCallback(() => {
      if (!isFetching && !isError && hasNextPage) void fetchNextPage();
    }, [isFetching, isError, hasNextPage, fetchNextPage]),
    retry: () => void fetchNextPage(),
  };
}

/** How many visits of a range fit. */
export function useVisitCount(projectId: string, search: VisitsSearch, { from, to }: Range) {
  const query = { ...timelineQuery(search), from, to };
  return useQuery({
    queryKey: ['projects', projectId, 'visit count', query],
    queryFn: () => data(client.GET('/api/projects/{id}/visits/count', { params: { path: { id: projectId }, query } })),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
}
