import type { NewsItem } from '#libs/contracts';
import type { NewsItemOfKind } from './counted-range.js';

/** Impersonation of one agent by visits from one network. */
interface Impersonation {
  item: NewsItem;
  network: string;
  agent: NewsItemOfKind<'impersonation'>['agents'][number];
}

/**
 * Replaces items about visits from the same network that claimed to be agents of several operators with a single item.
 * It has the position of the first of them.
 */
export function mergeImpersonations(items: readonly NewsItem[]): NewsItem[] {
  const impersonations = items.flatMap(toImpersonation);
  const merged = new Map<NewsItem, NewsItemOfKind<'impersonation'> | null>();
  for (const [network, group] of Map.groupBy(impersonations, (impersonation) => impersonation.network)) {
    if (new Set(group.map(({ agent }) => agent.operator_name)).size < 2) continue;
    const agents = mergeAgents(group.map(({ agent }) => agent));
    const visits = agents.reduce((sum, agent) => sum + agent.visits, 0);
    group.forEach(({ item }, index) =>
      merged.set(item, index === 0 ? { kind: 'impersonation', network, visits, agents } : null),
    );
  }
  return items.flatMap((item) => {
    const replacement = merged.get(item);
    return replacement === undefined ? item : (replacement ?? []);
  });
}

/** Returns an impersonation if an item is about untrusted visits from a single network, and nothing otherwise. */
function toImpersonation(item: NewsItem): Impersonation[] {
  if (item.kind === 'spoofing' && item.networks === 1) {
    return [{ item, network: item.network, agent: toAgent(item, item.visits) }];
  }
  if (item.kind !== 'agent_change' || item.visits <= item.previous_visits) return [];
  const network = item.causes?.find(({ dimension }) => dimension === 'network');
  const isUntrusted = item.causes?.some(
    ({ dimension, value }) => dimension === 'verdict' && value === 'not_verifiable',
  );
  return network !== undefined && isUntrusted
    ? [{ item, network: network.value, agent: toAgent(item, network.visits) }]
    : [];
}

const toAgent = (
  { agent_id, agent_token, agent_type_name, operator_name }: NewsItemOfKind<'spoofing' | 'agent_change'>,
  visits: number,
): Impersonation['agent'] => ({ agent_id, agent_token, agent_type_name, operator_name, visits });

/** Sums an agent's visits, because it can be both spoofed and not verifiable. Sorts by visits. */
const mergeAgents = (agents: readonly Impersonation['agent'][]): Impersonation['agent'][] =>
  [...Map.groupBy(agents, ({ agent_id: id }) => id).values()]
    .map((same) => ({ ...same[0]!, visits: same.reduce((sum, { visits }) => sum + visits, 0) }))
    .toSorted((one, other) => other.visits - one.visits);
