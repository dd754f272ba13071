import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Range } from '../range/range.js';
import { client, data } from './client.js';
import type { DismissedUserAgent, Unlisted, UnlistedGroup } from '#libs/contracts';

export type { DismissedUserAgent, Unlisted, UnlistedGroup };

/** Likelihood that an unknown visitor is automated. */
export type Suspicion = 'likely' | 'unclear';

/** Query key prefix for a project's unlisted and dismissed user agents. */
export const unlistedUserAgentsKey = (id: string) => ['projects', id, 'unlisted'] as const;

/** @param suspicions Levels to include, or null for both. */
export const unlistedUserAgentsQuery = (id: string, { from, to }: Range, suspicions: Suspicion[] | null) =>
  queryOptions({
    queryKey: [...unlistedUserAgentsKey(id), from, to, suspicions],
    queryFn: () => {
      const query = { from, to, ...(suspicions !== null && { automation: suspicions }) };
      return data(client.GET('/api/projects/{id}/unlisted', { params: { path: { id }, query } }));
    },
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
  });

export const dismissedUserAgentsQuery = (id: string) =>
  queryOptions({
    queryKey: [...unlistedUserAgentsKey(id), 'dismissed'],
    queryFn: async () =>
      (await data(client.GET('/api/projects/{id}/dismissed-user-agents', { params: { path: { id } } }))).dismissed,
  });

/** Latest visit in a user agent group, or null if none is stored. */
export const groupSampleQuery = (id: string, group: string) =>
  queryOptions({
    queryKey: [...unlistedUserAgentsKey(id), 'sample', group],
    queryFn: async () => {
      const query = { user_agent_group: [group], limit: 1 };
      const { visits } = await data(client.GET('/api/projects/{id}/visits', { params: { path: { id }, query } }));
      return visits[0] ?? null;
    },
    staleTime: Infinity,
  });

export const patternTrialQuery = (id: string, patterns: string[]) =>
  queryOptions({
    queryKey: [...unlistedUserAgentsKey(id), 'trial', patterns],
    queryFn: () =>
      data(
        client.POST('/api/projects/{id}/pattern-trials', {
          params: { path: { id } },
          body: { user_agent_patterns: patterns },
        }),
      ),
    staleTime: 30_000,
    retry: false,
  });
