import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client, data, versioned } from './client.js';
import type { RulesSelection, RulesTrial, RulesVersion } from '#libs/contracts';

export type { RulesSelection, RulesTrial, RulesVersion };

export type RuleFormat = RulesSelection['format'];

const toPathParams = (id: string) => ({ params: { path: { id } } });

export const renderedRulesQuery = (id: string, selection: RulesSelection) =>
  queryOptions({
    queryKey: ['projects', id, 'rules', selection],
    queryFn: ({ signal }) =>
      data(client.POST('/api/projects/{id}/rules', { ...toPathParams(id), body: selection, signal })),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });

/**
 * Query for the effect that the selection would have had in the last 30 days. Leaves out the format and signals, which
 * don't change the result.
 */
export const rulesTrialQuery = (
  id: string,
  {
    agent_types,
    agent_behaviors,
    agent_tokens,
    excluded_agent_tokens,
    excluded_operator_names,
    disallow,
  }: RulesSelection,
) => {
  const body = {
    agent_types,
    ...(agent_behaviors && { agent_behaviors }),
    ...(agent_tokens && { agent_tokens }),
    ...(excluded_agent_tokens && { excluded_agent_tokens }),
    ...(excluded_operator_names && { excluded_operator_names }),
    ...(disallow !== undefined && { disallow }),
  };
  return queryOptions({
    queryKey: ['projects', id, 'rules-trial', body],
    queryFn: ({ signal }) =>
      data(client.POST('/api/projects/{id}/rules-trials', { ...toPathParams(id), body, signal })),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
};

export const rulesVersionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'rules-versions'],
    queryFn: () => versioned(client.GET('/api/projects/{id}/rules-versions', toPathParams(id))),
    select: ({ versions }) => versions,
    staleTime: 30_000,
  });

export const rulesVersionQuery = (id: string, versionId: string) =>
  queryOptions({
    queryKey: ['projects', id, 'rules-versions', versionId],
    queryFn: () =>
      data(client.GET('/api/projects/{id}/rules-versions/{versionId}', { params: { path: { id, versionId } } })),
    // Saved versions are immutable.
    staleTime: Infinity,
  });
