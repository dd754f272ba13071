import type { Spoof, Verification } from '../../api/statistics.js';
import { AGENT_RESULTS, type VerdictCounts } from '../../charts/verdict-series.js';

/** Sums the visits of all buckets by verdict. */
export function sumVerdicts(series: Verification['series']): VerdictCounts {
  const sums: VerdictCounts = { verified: 0, not_verifiable: 0, verification_failed: 0 };
  for (const item of series) for (const result of AGENT_RESULTS) sums[result] += item[result];
  return sums;
}

interface SpoofedAgent<T> {
  name: string;
  /** One of the agent's rows. */
  agent: T;
  /** Value of the agent filter, or null for agents that aren't in the catalog. */
  filter: string | null;
  visits: number;
}

/** Returns the spoofed agents, most visits first. Combines the networks of each agent. */
export function rankSpoofedAgents<T extends Pick<Spoof, 'agent_id' | 'agent_token' | 'visits'>>(
  spoofs: readonly T[],
): SpoofedAgent<T>[] {
  const agents = new Map<string, SpoofedAgent<T>>();
  for (const agent of spoofs) {
    const { agent_id: id, agent_token: token, visits } = agent;
    const filter = token ?? id;
    const name = filter ?? 'an agent that isn’t in the catalog';
    agents.set(name, { name, agent, filter, visits: (agents.get(name)?.visits ?? 0) + visits });
  }
  return [...agents.values()].toSorted((one, other) => other.visits - one.visits);
}
