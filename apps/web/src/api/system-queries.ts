import { queryOptions } from '@tanstack/react-query';
import { client, data, versioned, type Versioned } from './client.js';
import type { Account, ApiKey, DeadLetterPage, MailServer, MailServerChange, Retention, System } from '#libs/contracts';

export type { Account, ApiKey, MailServer, MailServerChange, Retention, System };

export type SystemProcess = System['processes'][number];
export type DeadLetter = DeadLetterPage['dead_letters'][number];

export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: () => data(client.GET('/api/system')),
  refetchInterval: 5_000,
});

export const retentionQuery = queryOptions({
  queryKey: ['system', 'retention'],
  queryFn: (): Promise<Versioned<Retention>> => versioned(client.GET('/api/system/retention')),
  staleTime: Infinity,
});

export const mailServerQuery = queryOptions({
  queryKey: ['mail server'],
  queryFn: (): Promise<Versioned<MailServer>> => versioned(client.GET('/api/system/mail-server')),
  staleTime: Infinity,
});

export const pipelineQuery = queryOptions({
  queryKey: ['pipeline'],
  queryFn: () => data(client.GET('/api/pipeline')),
  staleTime: 5_000,
  refetchInterval: 15_000,
});

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: async () => (await data(client.GET('/api/users'))).users,
});

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async () => (await data(client.GET('/api/api-keys'))).api_keys,
});

export const deadLettersQuery = queryOptions({
  queryKey: ['dead-letters'],
  queryFn: () => data(client.GET('/api/dead-letters', { params: { query: { limit: 50 } } })),
  refetchInterval: 15_000,
});

/** Fetches all pages of dead letters, without their payloads. */
export async function fetchAllDeadLetters(): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: 1_000, ...(cursor !== undefined && { cursor }) };
    const page: DeadLetterPage = await data(client.GET('/api/dead-letters', { params: { query } }));
    letters.push(...page.dead_letters);
    cursor = page.next_cursor;
  }
  return letters;
}

export const deadLetterQuery = (id: string) =>
  queryOptions({
    queryKey: ['dead-letters', id],
    queryFn: () => data(client.GET('/api/dead-letters/{id}', { params: { path: { id } } })),
    staleTime: Infinity,
  });

export const passwordResetQuery = (token: string) =>
  queryOptions({
    queryKey: ['password-resets', token],
    queryFn: () => data(client.GET('/api/password-resets/{token}', { params: { path: { token } } })),
    retry: false,
  });
