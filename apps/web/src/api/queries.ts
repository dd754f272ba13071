import { queryOptions } from '@tanstack/react-query';
import { client, data, type Project, NO_CONFIRMATION_PROMPT, versioned, type Versioned } from './client.js';

const toPathParams = (id: string) => ({ params: { path: { id } } });

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => data(client.GET('/api/session')),
  staleTime: 60_000,
});

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async (): Promise<Project[]> => (await data(client.GET('/api/projects'))).projects,
  staleTime: 30_000,
});

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id],
    queryFn: (): Promise<Versioned<Project>> => versioned(client.GET('/api/projects/{id}', toPathParams(id))),
    staleTime: 30_000,
  });

export const summariesQuery = queryOptions({
  queryKey: ['summaries'],
  queryFn: async () => (await data(client.GET('/api/project-summaries'))).summaries,
  refetchInterval: 10_000,
});

export const tokensQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'tokens'],
    queryFn: async () => (await data(client.GET('/api/projects/{id}/tokens', toPathParams(id)))).tokens,
  });

/**
 * Access token value. Only fetch it to display it. It's removed from the cache as soon as it's no longer displayed.
 *
 * @param promptsUser If false, the query fails when the server asks for confirmation, instead of prompting the user.
 */
export const tokenQuery = (id: string, tokenId: string, promptsUser = true) =>
  queryOptions({
    queryKey: ['projects', id, 'tokens', tokenId],
    queryFn: async () =>
      (
        await data(
          client.GET('/api/projects/{id}/tokens/{tokenId}', {
            params: { path: { id, tokenId } },
            ...(!promptsUser && { headers: NO_CONFIRMATION_PROMPT }),
          }),
        )
      ).token,
    staleTime: Infinity,
    gcTime: 0,
  });

export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'members'],
    queryFn: () => data(client.GET('/api/projects/{id}/members', toPathParams(id))),
  });

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitations', token],
    queryFn: () => data(client.GET('/api/invitations/{token}', { params: { path: { token } } })),
    retry: false,
  });

export const histogramQuery = (id: string, filters: Record<string, string[]>) =>
  queryOptions({
    queryKey: ['projects', id, 'histogram', filters],
    queryFn: async () => {
      const params = { path: { id }, query: filters as object };
      return (await data(client.GET('/api/projects/{id}/histogram', { params }))).minutes;
    },
    placeholderData: (minutes, previous) => (previous?.queryKey[1] === id ? minutes : undefined),
    refetchInterval: 10_000,
  });

export const visitQuery = (id: string, visitId: string) =>
  queryOptions({
    queryKey: ['projects', id, 'visit', visitId],
    queryFn: () => data(client.GET('/api/projects/{id}/visits/{visitId}', { params: { path: { id, visitId } } })),
    staleTime: Infinity,
  });

export const testVisitQuery = (id: string, testVisitId: string) =>
  queryOptions({
    queryKey: ['projects', id, 'test visit', testVisitId],
    queryFn: () =>
      data(client.GET('/api/projects/{id}/test-visits/{testVisitId}', { params: { path: { id, testVisitId } } })),
    refetchInterval: ({ state }) => (state.data?.stage === 'finished' || state.status === 'error' ? false : 300),
    staleTime: 1_000,
  });

export const rejectedRequestsQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'refused requests'],
    queryFn: async () =>
      (await data(client.GET('/api/projects/{id}/refused-requests', toPathParams(id)))).refused_requests,
    refetchInterval: 3_000,
  });

/**
 * Proxies in front of the site, such as a CDN. Keeps polling until they are configured or there's a setting to suggest.
 */
export const visitorPathQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'visitor path'],
    queryFn: () => data(client.GET('/api/projects/{id}/visitor-path', toPathParams(id))),
    refetchInterval: ({ state: { data } }) => (data?.is_stated || data?.proposal ? false : 15_000),
  });

/** Requests rejected because their token is unknown. Requires an administrator. */
export const unknownTokenRequestsQuery = queryOptions({
  queryKey: ['refused requests'],
  queryFn: async () => (await data(client.GET('/api/refused-requests'))).refused_requests,
  refetchInterval: 3_000,
});
