import { getMethodForReason } from '#libs/agents/vocabulary';
import type { Spoof, Verification } from '../../api/statistics.js';
import { AGENT_RESULTS } from '../../charts/verdict-series.js';

type VerdictCounts = Record<(typeof AGENT_RESULTS)[number], number>;

/** Sums the visits of all buckets by verdict. */
export function sumVerdicts(series: Verification['series']): VerdictCounts {
  const sums: VerdictCounts = { verified: 0, not_verifiable: 0, verification_failed: 0 };
  for (const item of series) for (const result of AGENT_RESULTS) sums[result] += item[result];
  return sums;
}

/** Number of visits that failed verification for a kind of reason. */
type FailureCounts = Record<'address' | 'expired' | 'signature', number>;

const EXPIRED: ReadonlySet<string> = new Set(['expired', 'key_expired']);

/**
 * Sums the visits that failed verification by kind of reason. Only an expired signature can be by a genuine visitor.
 *
 * @param failed Number of visits that failed verification.
 * @returns Null if the reasons of some of the visits are unknown.
 */
export function splitFailures(reasons: Verification['reasons'], failed: number): FailureCounts | null {
  const counts: FailureCounts = { address: 0, expired: 0, signature: 0 };
  for (const { reason, visits } of reasons) {
    if (reason === null) continue;
    const isSigned = getMethodForReason(reason) === 'http_message_signature';
    counts[EXPIRED.has(reason) ? 'expired' : isSigned ? 'signature' : 'address'] += visits;
  }
  return counts.address + counts.expired + counts.signature === failed ? counts : null;
}

interface SpoofedAgent {
  name: string;
  /** Value of the agent filter, or null for agents that aren't in the catalog. */
  filter: string | null;
  visits: number;
}

/** Minimum number and factor by which unverifiable visits must rise to be news. */
const [MIN_RISE, RISE_FACTOR] = [20, 1.5];

export const isRise = (current: number, previous: number): boolean =>
  current - previous >= MIN_RISE && current >= RISE_FACTOR * previous;

interface NetworkVisits {
  network: string;
  visits: number;
}

/** Returns the network with more than half of all visits, across all agents, or null. */
export function findMainNetwork(spoofs: readonly Pick<Spoof, 'networks'>[], total: number): NetworkVisits | null {
  const visitsByNetwork = new Map<string, number>();
  for (const { networks } of spoofs) {
    for (const { prefix, visits } of networks) visitsByNetwork.set(prefix, (visitsByNetwork.get(prefix) ?? 0) + visits);
  }
  const main = [...visitsByNetwork].find(([, visits]) => visits > total / 2);
  return main === undefined ? null : { network: main[0], visits: main[1] };
}

/** Returns the spoofed agents, most visits first. Combines the networks of each agent. */
export function rankSpoofedAgents(
  spoofs: readonly Pick<Spoof, 'agent_id' | 'agent_token' | 'visits'>[],
): SpoofedAgent[] {
  const agents = new Map<string, SpoofedAgent>();
  for (const { agent_id: id, agent_token: token, visits } of spoofs) {
    const filter = token ?? id;
    const name = filter ?? 'an agent that isn’t in the catalog';
    agents.set(name, { name, filter, visits: (agents.get(name)?.visits ?? 0) + visits });
  }
  return [...agents.values()].toSorted((one, other) => other.visits - one.visits);
}
