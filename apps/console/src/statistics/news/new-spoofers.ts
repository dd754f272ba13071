import { networkOf } from '../network.js';
import type { SampledVisit } from '../samples.repository.js';
import { VisitsByName } from '../visit-counts.js';

/** Networks that failed verification as one agent, and had not before. */
export interface NewSpoofers {
  agentId: string;
  visits: number;
  networks: number;
  /** The network with most visits. */
  network: string;
  /** Id of the newest visit. */
  newest: string;
}

type FailedVisit = Pick<SampledVisit, 'id' | 'agent_id' | 'client_address'>;

/** Groups visits that failed verification by agent, the most visits first. @param visits newest first. */
export function newSpoofers(visits: readonly FailedVisit[], earlier: readonly FailedVisit[]): NewSpoofers[] {
  const known = new Set(earlier.map(spooferOf));
  const groups = new Map<string, { newest: string; networks: VisitsByName }>();
  for (const visit of visits) {
    const network = networkOf(visit.client_address);
    if (visit.agent_id === null || network === null || known.has(spooferOf(visit))) continue;
    const group = groups.get(visit.agent_id) ?? { newest: visit.id, networks: new VisitsByName() };
    groups.set(visit.agent_id, group);
    group.networks.add(network);
  }
  return [...groups]
    .map(([agentId, { newest, networks }]) => {
      const ranked = networks.top(Infinity);
      const visits = ranked.reduce((sum, [, count]) => sum + count, 0);
      return { agentId, visits, networks: ranked.length, network: ranked[0]![0], newest };
    })
    .toSorted((one, other) => other.visits - one.visits);
}

const spooferOf = ({ agent_id: agentId, client_address: address }: FailedVisit): string =>
  `${agentId} ${networkOf(address)}`;
