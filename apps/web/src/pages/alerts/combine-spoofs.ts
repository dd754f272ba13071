import type { Spoof } from '../../api/statistics.js';

const MAX_PREFIXES = 3;

/**
 * Returns the row of the network that made most of an agent's spoofed visits. If no single network did, combines the
 * rows.
 *
 * @param spoofs Rows of one agent, most visits first.
 */
export function combineSpoofs(spoofs: readonly Spoof[]): Spoof | undefined {
  const [first] = spoofs;
  const visits = spoofs.reduce((sum, spoof) => sum + spoof.visits, 0);
  if (first === undefined || spoofs.length === 1 || (first.network_count === 1 && first.visits > visits / 2)) {
    return first;
  }
  return {
    ...first,
    client_network: null,
    networks: spoofs
      .flatMap(({ networks }) => networks)
      .toSorted((one, other) => other.visits - one.visits)
      .slice(0, MAX_PREFIXES),
    network_count: spoofs.reduce((sum, spoof) => sum + spoof.network_count, 0),
    host_names: [],
    visits,
    paths: [],
  };
}
