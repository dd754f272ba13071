import { queryOptions } from '@tanstack/react-query';
import { client, data } from '../../api/client.js';

export const sharedLinksQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'shared-links'],
    queryFn: async () =>
      (await data(client.GET('/api/projects/{id}/shared-links', { params: { path: { id } } }))).shared_links,
  });
