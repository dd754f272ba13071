import type { Spoof } from '../../api/statistics.js';
import { MAX_SPOOFS } from '../../api/constants.js';
import type { FilterSet } from '../../filters/filter-set.js';

/** Visits from one network, by any agent they claim to be. */
export interface NetworkRow extends Pick<Spoof, 'client_network' | 'networks' | 'network_count' | 'host_names'> {
  key: string;
  visits: number;
  last_seen_at: string;
  /** Rows of the agents that the visits claim to be, most visits first. */
  claims: readonly Spoof[];
}

/** Returns the filters for a row's visits, or for those from one of its networks. */
export function toRowFilters({ claims }: Pick<NetworkRow, 'claims'>, result: string, prefix?: string): FilterSet {
  const agents = claims.map(({ agent_id: id, agent_token: token }) => token ?? id);
  return {
    result: [result],
    ...(prefix !== undefined && { address: [prefix] }),
    // No filter matches agents without an ID.
    ...(!agents.includes(null) && { agent: agents as string[] }),
  };
}

const toKey = ({ agent_id: id, client_network: owner, networks, network_count: count }: Spoof): string =>
  count === 1 && networks.length === 1 ? networks[0]!.prefix : `${id} ${owner?.as_number} ${networks[0]?.prefix}`;

/**
 * Combines the agents that a network claimed to be, most visits first. Rows with several networks stay separate, because
 * their paths and times can't be split. If rows are missing, sums would be too low, so all rows stay separate.
 */
export function groupNetworks(spoofs: readonly Spoof[]): NetworkRow[] {
  const isIncomplete = spoofs.length >= MAX_SPOOFS;
  const groups = Map.groupBy(spoofs, (spoof) => (isIncomplete ? `${spoof.agent_id} ${toKey(spoof)}` : toKey(spoof)));
  return [...groups]
    .map(([key, claims]) => {
      const [first] = claims as [Spoof];
      const visits = claims.reduce((sum, claim) => sum + claim.visits, 0);
      return {
        key,
        visits,
        claims: claims.toSorted((one, other) => other.visits - one.visits),
        client_network: first.client_network,
        networks: first.networks.map(({ prefix, ...counts }) => ({
          prefix,
          visits: first.network_count === 1 ? visits : counts.visits,
        })),
        network_count: first.network_count,
        host_names: [...new Set(claims.flatMap((claim) => claim.host_names))],
        last_seen_at: claims.reduce((last, claim) => (claim.last_seen_at > last ? claim.last_seen_at : last), ''),
      };
    })
    .toSorted((one, other) => other.visits - one.visits);
}
