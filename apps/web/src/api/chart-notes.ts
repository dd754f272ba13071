import { queryOptions } from '@tanstack/react-query';
import type { Range } from '../range/range.js';
import { client, data } from './client.js';
import type { ChartNote, ChartNotes } from '#libs/contracts';

export type { ChartNote, ChartNotes };

/** Prefix of the query keys of a project's notes in all ranges. */
export const chartNotesKey = (id: string) => ['projects', id, 'chart notes'] as const;

export const chartNotesQuery = (id: string, { from, to }: Range) =>
  queryOptions({
    queryKey: [...chartNotesKey(id), from, to],
    queryFn: () =>
      data(client.GET('/api/projects/{id}/chart-notes', { params: { path: { id }, query: { from, to } } })),
    staleTime: 60_000,
  });
