import type { NewsItem } from '#libs/contracts';
import type { ClaimCount } from '#libs/visit-store';
import type { NewsItemOfKind } from './counted-range.js';

type Claim = NewsItemOfKind<'spoofing' | 'agent_change'>;

/** One network whose visits claimed to be agents of several operators. */
interface Impersonation {
  network: string;
  /** News about these visits, one or two items per agent. */
  claims: readonly Claim[];
}

/** Finds networks whose untrusted visits claimed to be agents of several operators. */
export function findImpersonations(items: readonly NewsItem[]): Impersonation[] {
  const claims = items.flatMap((item) => {
    const network = getUntrustedNetwork(item);
    return network === null ? [] : [{ network, item: item as Claim }];
  });
  return [...Map.groupBy(claims, ({ network }) => network)]
    .map(([network, group]) => ({ network, claims: group.map(({ item }) => item) }))
    .filter(({ claims: ofNetwork }) => new Set(ofNetwork.map((claim) => claim.operator_name)).size > 1);
}

/** Builds the item about an impersonation from its counts in the range and in the comparison range. */
export function toImpersonationItem(
  { network, claims }: Impersonation,
  counts: readonly ClaimCount[],
  previous: readonly ClaimCount[],
): NewsItemOfKind<'impersonation'> {
  const agents = [...Map.groupBy(claims, ({ agent_id: id }) => id).values()].map(([claim]) => {
    const { agent_id, agent_token, agent_type_name, operator_name } = claim!;
    const visits = sumVisits(counts.filter((count) => count.agent_id === agent_id));
    return { agent_id, agent_token, agent_type_name, operator_name, visits };
  });
  return {
    kind: 'impersonation',
    network,
    visits: sumVisits(counts),
    spoofed: sumVisits(counts.filter(({ result }) => result === 'verification_failed')),
    previous_visits: sumVisits(previous),
    agents: agents.toSorted((one, other) => other.visits - one.visits),
  };
}

const sumVisits = (counts: readonly ClaimCount[]): number => counts.reduce((sum, { visits }) => sum + visits, 0);

/** Inserts the impersonations in front of the first item about them, and removes the `spoofing` items about them. */
export function insertImpersonations(
  items: readonly NewsItem[],
  impersonations: readonly (Impersonation & { item: NewsItemOfKind<'impersonation'> })[],
): NewsItem[] {
  return items.flatMap((item) => {
    const impersonation = impersonations.find(({ claims }) => claims.some((claim) => claim === item));
    if (impersonation === undefined) return item;
    return [
      ...(impersonation.claims[0] === item ? [impersonation.item] : []),
      ...(item.kind === 'spoofing' ? [] : [item]),
    ];
  });
}

/** Returns the network if an item is about untrusted visits from a single one, and null otherwise. */
function getUntrustedNetwork(item: NewsItem): string | null {
  if (item.kind === 'spoofing') return item.networks === 1 ? item.network : null;
  if (item.kind !== 'agent_change' || item.visits <= item.previous_visits) return null;
  const isUntrusted = item.causes?.some(
    ({ dimension, value }) => dimension === 'verdict' && value === 'not_verifiable',
  );
  const network = item.causes?.find(({ dimension }) => dimension === 'network');
  return isUntrusted ? (network?.value ?? null) : null;
}
