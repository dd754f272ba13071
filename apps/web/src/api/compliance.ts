import { queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';
import type { Compliance } from '#libs/contracts';
import { REFRESH_OPTIONS, type Range } from './statistics.js';

export type { Compliance };

export type ComplianceAgent = Compliance['agents'][number];

export const complianceQuery = (id: string, { from, to }: Range) =>
  queryOptions({
    queryKey: ['projects', id, 'compliance', from, to],
    queryFn: () => data(client.GET('/api/projects/{id}/compliance', { params: { path: { id }, query: { from, to } } })),
    ...REFRESH_OPTIONS,
  });

export const disallowedVisitsQuery = (id: string, agentId: string, { from, to }: Range) =>
  queryOptions({
    queryKey: ['projects', id, 'compliance', agentId, from, to],
    queryFn: () =>
      data(
        client.GET('/api/projects/{id}/compliance/{agentId}', {
          params: { path: { id, agentId }, query: { from, to } },
        }),
      ),
    ...REFRESH_OPTIONS,
  });
