import { queryOptions } from '@tanstack/react-query';
import type { ConsoleQuery, LoadReport, LoadSeries } from '#libs/contracts';
import { client, data } from './client.js';
import { REFRESH_OPTIONS, type Range } from './statistics.js';

export type { Load, LoadGrouping, LoadReport, LoadSeries } from '#libs/contracts';
export type LoadItem = LoadSeries['series'][number];
export type LoadRow = LoadReport['rows'][number];

type LoadParameters = ConsoleQuery<'getLoad'>;

export const loadQuery = (id: string, { from, to }: Range, parameters: LoadParameters) =>
  queryOptions({
    queryKey: ['projects', id, 'load', from, to, parameters],
    queryFn: () =>
      data(client.GET('/api/projects/{id}/load', { params: { path: { id }, query: { ...parameters, from, to } } })),
    ...REFRESH_OPTIONS,
  });

export const loadSeriesQuery = (id: string, { from, to }: Range, filters: ConsoleQuery<'getLoadSeries'>) =>
  queryOptions({
    queryKey: ['projects', id, 'load-series', from, to, filters],
    queryFn: () => {
      const params = { path: { id }, query: { ...filters, from, to } };
      return data(client.GET('/api/projects/{id}/load-series', { params }));
    },
    ...REFRESH_OPTIONS,
  });
