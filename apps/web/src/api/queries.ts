import { queryOptions } from '@tanstack/react-query';
import { client, data, type Project, UNASKED, versioned, type Versioned } from './client.js';

const path = (id: string) => ({ params: { path: { id } } });

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
    queryFn: (): Promise<Versioned<Project>> => versioned(client.GET('/api/projects/{id}', path(id))),
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
    queryFn: async () => (await data(client.GET('/api/projects/{id}/tokens', path(id)))).tokens,
  });

/**
 * Value of an access token. It isn't cached; fetch it only to display it.
 *
 * @param isAsked If false, the query fails instead of prompting the user to confirm their identity.
 */
export const tokenQuery = (id: string, tokenId: string, isAsked = true) =>
  queryOptions({
    queryKey: ['projects', id, 'tokens', tokenId],
    queryFn: async () =>
      (
        await data(
          client.GET('/api/projects/{id}/tokens/{tokenId}', {
            params: { path: { id, tokenId } },
            ...(!isAsked && { headers: UNASKED }),
          }),
        )
      ).token,
    staleTime: Infinity,
    gcTime: 0,
  });

export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'members'],
    queryFn: () => data(client.GET('/api/projects/{id}/members', path(id))),
  });

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitations', token],
    queryFn: () => data(client.GET('/api/invitations/{token}', { params: { path: { token } } })),
    retry: false,
  });

/** @param filters Timeline filters. */
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

/** Progress of a test visit. Polls until the visit is finished. */
export const testVisitQuery = (id: string, testVisitId: string) =>
  queryOptions({
    queryKey: ['projects', id, 'test visit', testVisitId],
    queryFn: () =>
      data(client.GET('/api/projects/{id}/test-visits/{testVisitId}', { params: { path: { id, testVisitId } } })),
    refetchInterval: ({ state }) => (state.data?.stage === 'finished' || state.status === 'error' ? false : 300),
    staleTime: 1_000,
  });

export const refusedRequestsQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'refused requests'],
    queryFn: async () => (await data(client.GET('/api/projects/{id}/refused-requests', path(id)))).refused_requests,
    refetchInterval: 3_000,
  });

/** How visitors reach the site, e.g. through a CDN. Polls until that's configured or a setting is proposed. */
export const visitorPathQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'visitor path'],
    queryFn: () => data(client.GET('/api/projects/{id}/visitor-path', path(id))),
    refetchInterval: ({ state: { data } }) => (data?.is_stated || data?.proposal ? false : 15_000),
  });

/** Requests rejected because of an unknown token. Requires an administrator. */
export const unknownTokenRequestsQuery = queryOptions({
  queryKey: ['refused requests'],
  queryFn: async () => (await data(client.GET('/api/refused-requests'))).refused_requests,
  refetchInterval: 3_000,
});
