import type { NewsItem, Overview } from '../../api/statistics.js';
import { formatEstimate } from '../../format/count.js';

/** Network that explains most of a change in the filtered visits. */
export interface FilteredCause {
  network: string;
  /** Continues a sentence after the network, such as ", which made 165 of them". */
  effect: string;
}

/** Maximum number of networks to count visits for. */
const MAX_NETWORKS = 2;
const MIN_SHARE = 0.5;

/** Returns the networks that may explain a change, because the news is about them. */
export function listNetworks(items: readonly NewsItem[]): string[] {
  const networks = items.flatMap((item) => {
    if (item.kind === 'impersonation' || (item.kind === 'spoofing' && item.networks === 1)) return item.network;
    const causes = item.kind === 'agent_change' ? (item.causes ?? []) : [];
    return causes.filter(({ dimension }) => dimension === 'network').map(({ value }) => value);
  });
  return [...new Set(networks)].slice(0, MAX_NETWORKS);
}

type Counts = Pick<Overview, 'current' | 'previous' | 'sample'>;

/** Returns the number of visits that the page counts: by agents, or by unknown visitors if no agents match. */
export function countMatches({ current, previous }: Counts, hasUnknown: boolean): { visits: number; previous: number } {
  const key = hasUnknown
    ? 'visits'
    : current.agent_visits + previous.agent_visits > 0
      ? 'agent_visits'
      : 'unknown_agent';
  return { visits: current[key], previous: previous[key] };
}

/** Returns the network that explains at least half of a change, or null if there is none. */
export function findFilteredCause(
  all: Counts,
  networks: readonly { network: string; counts: Counts }[],
  hasUnknown: boolean,
): FilteredCause | null {
  const total = countMatches(all, hasUnknown);
  const change = total.visits - total.previous;
  for (const { network, counts } of networks) {
    const { visits, previous } = countMatches(counts, hasUnknown);
    if (change === 0 || (visits - previous) / change < MIN_SHARE) continue;
    const isEstimated = counts.sample?.is_estimated === true;
    const [now, then] = [formatEstimate(visits, isEstimated), formatEstimate(previous, isEstimated)];
    const effect =
      previous === 0
        ? `, which made ${visits === total.visits ? 'all' : now} of them`
        : ` (${visits > previous ? 'up' : 'down'} from ${then} to ${now})`;
    return { network, effect };
  }
  return null;
}

/** Returns the page that explains at least half of a change, or null if there is none. */
export function findMainPage(change: number, pages: Overview['top_pages']): string | null {
  const page = pages.find(
    ({ path, visits, previous_visits: previous }) =>
      path !== '' && change !== 0 && previous !== undefined && (visits - previous) / change >= MIN_SHARE,
  );
  return page?.path ?? null;
}
