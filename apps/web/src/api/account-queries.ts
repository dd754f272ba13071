import { queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';
import type { OwnAccount } from '#libs/contracts';

export type { OwnAccount };

export type OwnSession = OwnAccount['sessions'][number];

export const ownAccountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => data(client.GET('/api/account')),
});

export const ownApiKeysQuery = queryOptions({
  queryKey: ['account', 'api-keys'],
  queryFn: async () => (await data(client.GET('/api/account/api-keys'))).api_keys,
});

export const reportSettingsQuery = queryOptions({
  queryKey: ['account', 'reports'],
  queryFn: () => data(client.GET('/api/account/reports')),
});
