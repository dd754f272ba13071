import { queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';

/** The made-up visits; asked for again while they are loaded. For administrators. */
export const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: () => data(client.GET('/api/demo')),
  refetchInterval: ({ state }) => (state.data?.state === 'loading' ? 500 : false),
});
