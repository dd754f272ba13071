import { queryOptions } from '@tanstack/react-query';
import type { PolicyEffect } from '#libs/contracts';
import { client, data } from './client.js';

export type { PolicyEffect };
export type EffectAgent = PolicyEffect['agents'][number];

/** Effect of a rule in the last days, including today. */
export const policyEffectQuery = (id: string, ruleId: string, days: number) =>
  queryOptions({
    queryKey: ['projects', id, 'policy effect', ruleId, days],
    queryFn: (): Promise<PolicyEffect> =>
      data(
        client.GET('/api/projects/{id}/policy/rules/{ruleId}/effect', {
          params: { path: { id, ruleId }, query: { days } },
        }),
      ),
  });
