import type { PolicyProof } from '#libs/contracts';
import { client, data } from './client.js';

export type { PolicyProof };
export type ProofRequest = PolicyProof['requests'][number];

/** Requests the project's site as GPTBot and as ChatGPT-User. */
export const provePolicy = (id: string): Promise<PolicyProof> =>
  data(client.POST('/api/projects/{id}/policy-proofs', { params: { path: { id } }, body: {} }));
