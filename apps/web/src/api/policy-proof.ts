import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { NewPolicyProof, NewPolicySimulation, PolicyProof, PolicySimulation } from '#libs/contracts';
import { client, data } from './client.js';

export type ProofRequest = PolicyProof['requests'][number];
export type SimulatedResponse = PolicySimulation['responses'][number];

/** Requests the project's site as agents. */
export const provePolicy = (id: string, body: NewPolicyProof): Promise<PolicyProof> =>
  data(client.POST('/api/projects/{id}/policy-proofs', { params: { path: { id } }, body }));

/**
 * Returns the responses that the published policy requires, without requests to the site.
 *
 * @param versions ETags of the policy and of robots.txt.
 */
export const simulationQuery = (id: string, body: NewPolicySimulation, versions: readonly unknown[]) =>
  queryOptions({
    queryKey: ['projects', id, 'policy simulation', body, ...versions],
    queryFn: () => data(client.POST('/api/projects/{id}/policy-simulations', { params: { path: { id } }, body })),
    placeholderData: keepPreviousData,
  });
