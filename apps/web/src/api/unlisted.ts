import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Range } from '../range/range.js';
import { client, data } from './client.js';
import type { DismissedUserAgent, Unlisted, UnlistedGroup } from '#libs/contracts';

export type { DismissedUserAgent, Unlisted, UnlistedGroup };

/** Likelihood that an unknown visitor is a program. */
export type Suspicion = 'likely' | 'unclear';

/** Prefix of all query keys on a project's unlisted and dismissed user agents. */
export const unlistedKey = (id: string) => ['projects', id, 'unlisted'] as const;

/** @param suspicions Null for both. */
export const unlistedQuery = (id: string, { from, to }: Range, suspicions: Suspicion[] | null) =>
  queryOptions({
    queryKey: [...unlistedKey(id), from, to, suspicions],
    queryFn: () => {
      const query = { from, to, ...(suspicions !== null && { automation: suspicions }) };
      return data(client.GET('/api/projects/{id}/unlisted', { params: { path: { id }, query } }));
    },
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
  });

export const dismissedQuery = (id: string) =>
  queryOptions({
    queryKey: [...unlistedKey(id), 'dismissed'],
    queryFn: async () =>
      (await data(client.GET('/api/projects/{id}/dismissed-user-agents', { params: { path: { id } } }))).dismissed,
  });

/** Latest visit of a user agent group, or null if no visit is stored. */
export const groupSampleQuery = (id: string, group: string) =>
  queryOptions({
    queryKey: [...unlistedKey(id), 'sample', group],
    queryFn: async () => {
      const query = { user_agent_group: [group], limit: 1 };
      const { visits } = await data(client.GET('/api/projects/{id}/visits', { params: { path: { id }, query } }));
      return visits[0] ?? null;
    },
    staleTime: Infinity,
  });

export const patternTrialQuery = (id: string, patterns: string[]) =>
  queryOptions({
    queryKey: [...unlistedKey(id), 'trial', patterns],
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
