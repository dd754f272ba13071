import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';
import type { ToolsReport } from '#libs/contracts';

export type { ToolsReport };

export const toolsQuery = (id: string, { from, to }: { from: string; to: string }) =>
  queryOptions({
    queryKey: ['projects', id, 'tools', from, to],
    queryFn: () => data(client.GET('/api/projects/{id}/tools', { params: { path: { id }, query: { from, to } } })),
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
  });
