import type { FailedBefore, FailedVisits } from '#libs/visit-store';
import { networkOf } from '../network.js';
import { VisitsByName } from '../visit-counts.js';

/** Failed verifications of one agent from networks that had not failed as this agent before. */
interface NewSpoofers {
  agentId: string;
  visits: number;
  networks: number;
  /** Network with the most visits. */
  network: string;
  newest: string;
}

/** Groups failed verifications by agent, most visits first. @param failed newest first. */
export function newSpoofers(failed: readonly FailedVisits[], earlier: readonly FailedBefore[]): NewSpoofers[] {
  const spooferOf = ({ agent_id: agentId }: FailedBefore, network: string | null): string => `${agentId} ${network}`;
  const known = new Set(earlier.map((visits) => spooferOf(visits, networkOf(visits.client_address))));
  const groups = new Map<string, { newest: string; networks: VisitsByName }>();
  for (const visits of failed) {
    const network = networkOf(visits.client_address);
    if (visits.agent_id === null || network === null || known.has(spooferOf(visits, network))) continue;
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
