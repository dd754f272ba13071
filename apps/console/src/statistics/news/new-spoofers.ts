import type { EarlierFailure, FailedVisits } from '#libs/visit-store';
import { getNetwork } from '../network.js';
import { VisitsByName } from '../visit-counts.js';
import { MIN_SPOOFED_VISITS } from './news-ranking.js';

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
 * Groups failed verifications by agent, most visits first. A network that claimed to be several agents, or made most of
 * an agent's visits, has a group of its own. Leaves out groups with few visits.
 *
 * @param failed Newest visits first.
 */
export function newSpoofers(failed: readonly FailedVisits[], earlier: readonly EarlierFailure[]): NewSpoofers[] {
  const earlierSpoofers = new Set(
    earlier.map(({ agent_id: agentId, client_address: address }) => `${agentId} ${getNetwork(address)}`),
  );
  const claims = failed.flatMap(({ agent_id: agentId, ...visits }) => {
    const network = getNetwork(visits.client_address);
    if (agentId === null || network === null) return [];
    return earlierSpoofers.has(`${agentId} ${network}`) ? [] : [{ ...visits, agentId, network }];
  });
  const isSeparate = findSeparateNetworks(claims);
  const groups = Map.groupBy(claims, (claim) => `${claim.agentId} ${isSeparate(claim) ? claim.network : ''}`);
  return [...groups.values()]
    .map((group) => {
      const networks = new VisitsByName();
      for (const { network, visits } of group) networks.add(network, visits);
      const ranked = networks.top(Infinity);
      const { agentId, id: newest } = group[0]!;
      return { agentId, visits: sumVisits(group), networks: ranked.length, network: ranked[0]![0], newest };
    })
    .filter(({ visits }) => visits >= MIN_SPOOFED_VISITS)
    .toSorted((one, other) => other.visits - one.visits);
}

interface Claim extends Pick<FailedVisits, 'id' | 'visits'> {
  agentId: string;
  network: string;
}

/**
 * Returns a function that checks whether a claim's network has enough visits as this agent to be news of its own:
 * because the network also claimed to be another agent, or made most of the visits as this one.
 */
function findSeparateNetworks(claims: readonly Claim[]): (claim: Claim) => boolean {
  const toPair = ({ agentId, network }: Claim): string => `${agentId} ${network}`;
  const byAgent = Map.groupBy(claims, ({ agentId }) => agentId);
  const pairs = [...Map.groupBy(claims, toPair).values()].filter((pair) => sumVisits(pair) >= MIN_SPOOFED_VISITS);
  const byNetwork = Map.groupBy(pairs, (pair) => pair[0]!.network);
  const separate = pairs.filter((pair) => {
    const { agentId, network } = pair[0]!;
    return byNetwork.get(network)!.length > 1 || sumVisits(pair) >= sumVisits(byAgent.get(agentId)!) / 2;
  });
  const keys = new Set(separate.map((pair) => toPair(pair[0]!)));
  return (claim) => keys.has(toPair(claim));
}

const sumVisits = (claims: readonly Claim[]): number => claims.reduce((sum, { visits }) => sum + visits, 0);
