import type { VisitingAgent } from '../../api/statistics.js';
import { MAX_AGENT_ADDRESSES } from '../../api/constants.js';

type AddressRow = VisitingAgent['addresses'][number];

/** Address, or network in CIDR notation if it has several addresses. */
interface AddressGroup extends AddressRow {
  /** Number of addresses. */
  count: number;
}

/**
 * Sums addresses in the same network with the same result, most visits first. If some addresses are missing, the sums
 * would be too low, so all addresses stay separate.
 */
export function groupAddresses(rows: readonly AddressRow[]): AddressGroup[] {
  const isIncomplete = rows.length >= MAX_AGENT_ADDRESSES;
  const groups = Map.groupBy(rows, ({ address, network, result }) => `${result} ${isIncomplete ? address : network}`);
  return [...groups.values()]
    .map((group) => ({
      ...group[0]!,
      ...(group.length > 1 && { address: group[0]!.network }),
      count: group.length,
      visits: group.reduce((sum, { visits }) => sum + visits, 0),
    }))
    .toSorted((one, other) => other.visits - one.visits);
}
