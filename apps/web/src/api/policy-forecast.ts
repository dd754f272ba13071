import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { PolicyForecast, PolicyOutcomes, PolicyRule } from '#libs/contracts';
import { client, data } from './client.js';

export type { PolicyForecast, PolicyOutcomes };
export type OutcomeCounts = PolicyForecast['total']['outcomes'];

/** Applies rules to the visits of the last days. Never refetched automatically, because a forecast can take seconds. */
export const policyForecastQuery = (id: string, rules: PolicyRule[], days: number) =>
  queryOptions({
    queryKey: ['projects', id, 'policy forecast', rules, days],
    queryFn: (): Promise<PolicyForecast> =>
      data(client.POST('/api/projects/{id}/policy-trials', { params: { path: { id } }, body: { rules, days } })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  });

/** Forecasts of earlier versions and their outcomes. */
export const policyOutcomesQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'policy outcomes'],
    queryFn: (): Promise<PolicyOutcomes> =>
      data(client.GET('/api/projects/{id}/policy/outcomes', { params: { path: { id } } })),
  });
