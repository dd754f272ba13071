import { queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';

export const reportSettingsQuery = queryOptions({
  queryKey: ['account', 'reports'],
  queryFn: () => data(client.GET('/api/account/reports')),
});
