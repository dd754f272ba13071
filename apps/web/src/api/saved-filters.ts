import { queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';
import type { SavedFilter } from '#libs/contracts';

export type { SavedFilter };

export type FilteredPage = SavedFilter['page'];

export const savedFiltersQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'saved filters'],
    queryFn: async () =>
      (await data(client.GET('/api/projects/{id}/saved-filters', { params: { path: { id } } }))).saved_filters,
    staleTime: 30_000,
  });
