import { queryOptions } from '@tanstack/react-query';
import type { Range } from '../range/range.js';
import { client, data } from './client.js';
import type { ChartNote, ChartNotes } from '#libs/contracts';

export type { ChartNote, ChartNotes };

/** Query key prefix for a project's notes in any date range. */
export const chartNotesKey = (id: string) => ['projects', id, 'chart notes'] as const;

export const chartNotesQuery = (id: string, { from, to }: Range) =>
  queryOptions({
    queryKey: [...chartNotesKey(id), from, to],
    queryFn: () =>
      data(client.GET('/api/projects/{id}/chart-notes', { params: { path: { id }, query: { from, to } } })),
    staleTime: 60_000,
  });
