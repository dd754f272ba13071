import type { EarlierFailure, FailedVisits } from '#libs/visit-store';
import { getNetwork } from '../network.js';
import { VisitsByName } from '../visit-counts.js';

/** Failed verifications for one agent, from networks that never failed as this agent before. */
interface NewSpoofers {
  agentId: string;
  visits: number;
  networks: number;
  /** Network with the most visits. */
  network: string;
  /** ID of the most recent failed visit. */
  newest: string;
}

/**
 * Groups failed verifications by agent, most visits first.
 *
 * @param failed Newest visits first.
 */
export function newSpoofers(failed: readonly FailedVisits[], earlier: readonly EarlierFailure[]): NewSpoofers[] {
  const toSpooferKey = ({ agent_id: agentId }: EarlierFailure, network: string | null): string =>
    `${agentId} ${network}`;
  const earlierSpoofers = new Set(earlier.map((visits) => toSpooferKey(visits, getNetwork(visits.client_address))));
  const groups = new Map<string, { newest: string; networks: VisitsByName }>();
  for (const visits of failed) {
    const network = getNetwork(visits.client_address);
    if (visits.agent_id === null || network === null || earlierSpoofers.has(toSpooferKey(visits, network))) continue;
    const group = groups.get(visits.agent_id) ?? { newest: visits.id, networks: new VisitsByName() };
    groups.set(visits.agent_id, group);
    group.networks.add(network, visits.visits);
  }
  return [...groups]
    .map(([agentId, { newest, networks }]) => {
      const ranked = networks.top(Infinity);
      const visits = ranked.reduce((sum, [, count]) => sum + count, 0);
      return { agentId, visits, networks: ranked.length, network: ranked[0]![0], newest };
    })
    .toSorted((one, other) => other.visits - one.visits);
}
