import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { client, data, type Visit } from '../../api/client.js';
import type { Range } from '../../range/range.js';
import { toTimelineQuery, type Filters } from '../../filters/visit-filters.js';
import type { VisitsSearch } from './search.js';
import { LIST_OPTIONS } from './visits-query.js';

const PAGE_SIZE = 100;

interface PastVisits {
  visits: readonly Visit[];
  hasMore: boolean;
  isLoading: boolean;
  error: unknown;
  /** Loads the next page. Does nothing after an error, because scrolling would retry it endlessly. */
  more: () => void;
  /** Retries the page that failed to load. */
  retry: () => void;
}

/** Loads the matching visits in a range, page by page. */
export function usePastVisits(projectId: string, search: VisitsSearch, { from, to }: Range): PastVisits {
  const query = { ...toTimelineQuery(search), from, to, ...(search.order && { order: search.order }) };
  const pages = useInfiniteQuery({
    queryKey: ['projects', projectId, 'past visits', query],
    queryFn: ({ pageParam: cursor }) => {
      const params = {
        path: { id: projectId },
        query: { ...query, limit: PAGE_SIZE, ...(cursor !== null && { cursor }) },
      };
      return data(client.GET('/api/projects/{id}/visits', { params }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    ...LIST_OPTIONS,
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

export function useVisitCount(projectId: string, filters: Filters, { from, to }: Range, isEnabled = true) {
  const query = { ...toTimelineQuery(filters), from, to };
  return useQuery({
    queryKey: ['projects', projectId, 'visit count', query],
    queryFn: () => data(client.GET('/api/projects/{id}/visits/count', { params: { path: { id: projectId }, query } })),
    ...LIST_OPTIONS,
    enabled: isEnabled,
  });
}
