import { queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';
import type { components } from './schema.js';

export type Assistant = components['schemas']['Assistant'];
export type AssistantRecord = components['schemas']['AssistantRecord'];

export const assistantsQuery = queryOptions({
  queryKey: ['catalog', 'assistants'],
  queryFn: async () => (await data(client.GET('/api/assistants'))).assistants,
  staleTime: 30_000,
});
