import type { Overview, OverviewBreakdown } from '#libs/contracts';
import type { ItemCount } from '#libs/visit-store';
import type { Series } from './time-range.js';

type OverviewItem = Overview['series'][number];

export interface TypeCount {
  item: number;
  agent_type: string;
  /** Missing if the visits weren't counted by result. */
  result?: string;
  visits: number;
}

interface SeriesBreakdown {
  breakdown: OverviewBreakdown;
  visitors: 'agents' | 'all';
  /** Agents with their own key. All others are summed up. */
  agentIds: readonly string[];
  /** Counts by status or agent, or null if they are unknown. */
  counts: readonly ItemCount[] | null;
  /** True if `counts` lacks visits that are no longer stored, but includes visits without a status. */
  lacksVisits?: boolean;
}

/** Key in `by_status` for visits that are no longer stored. */
const NOT_STORED = 'not_stored';

/** Builds the series of the overview from the counts of its items. */
export function buildOverviewSeries(
  { starts }: Series,
  types: readonly TypeCount[],
  { breakdown, visitors, agentIds, counts, lacksVisits = false }: SeriesBreakdown,
): OverviewItem[] {
  const items = starts.map((start): OverviewItem => ({
    time: new Date(start).toISOString(),
    visits: 0,
    by_type: {},
    ...(breakdown !== 'type' && { by_result: {} }),
    ...(breakdown === 'status' && counts !== null && { by_status: {} }),
    ...(breakdown === 'agent' && counts !== null && { by_agent: {} }),
  }));
  for (const { item, agent_type: type, result, visits } of types) {
    const { by_type: byType, by_result: byResult } = items[item]!;
    items[item]!.visits += visits;
    add(byType, type, visits);
    if (byResult && result !== undefined) add(byResult, result, visits);
  }
  const listedAgents = new Set(agentIds);
  for (const { item, value, visits } of counts ?? []) {
    const { by_status: byStatus, by_agent: byAgent } = items[item]!;
    if (byStatus) add(byStatus, value === null ? '' : toStatusClass(value), Math.round(visits));
    if (byAgent && value !== null && listedAgents.has(value)) add(byAgent, value, Math.round(visits));
  }
  for (const { visits, by_type: byType, by_status: byStatus, by_agent: byAgent } of items) {
    const agentVisits = visits - (byType[''] ?? 0);
    if (byStatus) setRest(byStatus, lacksVisits ? NOT_STORED : '', visitors === 'all' ? visits : agentVisits);
    if (byAgent) setRest(byAgent, '', agentVisits);
  }
  return items;
}

/** Returns an empty string if the status isn't a number from 100 to 599. */
const toStatusClass = (status: string): string =>
  Number(status) >= 100 && Number(status) < 600 ? `${status.charAt(0)}xx` : '';

function add(counts: Record<string, number>, key: string, visits: number): void {
  counts[key] = (counts[key] ?? 0) + visits;
}

/** Sets a key to the number of visits that no other key counts. */
function setRest(counts: Record<string, number>, restKey: string, total: number): void {
  const rest = Object.entries(counts).reduce((sum, [key, visits]) => (key === restKey ? sum : sum - visits), total);
  if (rest > 0) counts[restKey] = rest;
  else delete counts[restKey];
}
