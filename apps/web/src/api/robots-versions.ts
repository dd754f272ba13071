import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';
import type { RobotsTxtHost, RobotsVersion, RobotsVersionWithText } from '#libs/contracts';

export type { RobotsTxtHost, RobotsVersion, RobotsVersionWithText };

export type RobotsSignal = RobotsVersionWithText['signals'][number];

export const robotsVersionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['projects', id, 'robots-versions'],
    queryFn: ({ pageParam }) =>
      data(
        client.GET('/api/projects/{id}/robots-versions', {
          params: { path: { id }, query: pageParam === null ? {} : { cursor: pageParam } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
    refetchInterval: 30_000,
  });

export const robotsVersionQuery = (id: string, robotsVersionId: string) =>
  queryOptions({
    queryKey: ['projects', id, 'robots-version', robotsVersionId],
    queryFn: () =>
      data(
        client.GET('/api/projects/{id}/robots-versions/{robotsVersionId}', {
          params: { path: { id, robotsVersionId } },
        }),
      ),
    staleTime: 30_000,
  });

export const refreshRobotsVersions = (id: string) =>
  data(client.POST('/api/projects/{id}/robots-versions/refresh', { params: { path: { id } }, body: {} }));
