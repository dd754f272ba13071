import { queryOptions } from '@tanstack/react-query';
import type { ConsoleQuery, LoadReport } from '#libs/contracts';
import { client, data } from './client.js';
import { REFRESH_OPTIONS, type Range } from './statistics.js';

export type { Load, LoadGrouping, LoadReport } from '#libs/contracts';
export type LoadRow = LoadReport['rows'][number];

type LoadParameters = ConsoleQuery<'getLoad'>;

export const loadQuery = (id: string, { from, to }: Range, parameters: LoadParameters) =>
  queryOptions({
    queryKey: ['projects', id, 'load', from, to, parameters],
    queryFn: () =>
      data(client.GET('/api/projects/{id}/load', { params: { path: { id }, query: { ...parameters, from, to } } })),
    ...REFRESH_OPTIONS,
  });
