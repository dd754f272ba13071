import { queryOptions } from '@tanstack/react-query';
import { client, data, versioned } from './client.js';
import type { AssistantListItem } from '#libs/contracts';

export type Assistant = AssistantListItem;

export const assistantsQuery = queryOptions({
  queryKey: ['catalog', 'assistants'],
  queryFn: async () => (await data(client.GET('/api/assistants'))).assistants,
  staleTime: 30_000,
});

export const assistantQuery = (id: string) =>
  queryOptions({
    queryKey: ['catalog', 'assistant', id],
    queryFn: () => versioned(client.GET('/api/assistants/{assistant}', { params: { path: { assistant: id } } })),
  });
