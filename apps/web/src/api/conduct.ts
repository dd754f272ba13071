import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Conduct } from '#libs/contracts';
import { client, data } from './client.js';
import type { Range } from './statistics.js';

export type ConductAgent = Conduct['agents'][number];
export type ConductDay = ConductAgent['days'][number];

/** Maximum length of the range, in milliseconds. */
export const MAX_CONDUCT_RANGE_MS = 31 * 86_400_000;
/** Past days only change if visits arrive late, and reading them takes longer than reading counts. */
const STALE_AFTER_MS = 300_000;

export const conductQuery = (id: string, agentId: string, { from, to }: Range) =>
  queryOptions({
    queryKey: ['projects', id, 'conduct', agentId, from, to],
    queryFn: async () => {
      const query = { from, to, agent: [agentId] };
      const { agents } = await data(client.GET('/api/projects/{id}/conduct', { params: { path: { id }, query } }));
      return agents[0] ?? null;
    },
    staleTime: STALE_AFTER_MS,
    placeholderData: keepPreviousData,
  });
