import { MAX_DAYS_OF_RANGE, type NewsItem, type Totals } from '#libs/contracts';
import type { CountsRepository, Snapshot } from '#libs/visit-store';
import type { TimeRange } from '../time-range.js';
import { totalsOf, visitsByAgent } from '../visit-counts.js';

const DAY_MS = 86_400_000;
/** Maximum history before a range that is required to call something new. */
const MAX_KNOWN_MS = 7 * DAY_MS;

export type NewsOf<K extends NewsItem['kind']> = Extract<NewsItem, { kind: K }>;
/** A news item without the agent's names. */
export type Unnamed<I> = I extends { agent_id: string }
  ? Omit<I, 'agent_token' | 'agent_type_name' | 'operator_name'>
  : I;

/** A range and its comparison range, with their counts. Shared by all kinds of news. */
export interface CountedRange {
  snapshot: Snapshot;
  projectId: string;
  range: TimeRange;
  previous: TimeRange;
  totals: Totals;
  previousTotals: Totals;
  /** Time of the project's newest visit, in milliseconds since the epoch. */
  last: number;
  /** Visits by agent, excluding failed verifications. */
  visits: ReadonlyMap<string, number>;
  previousVisits: ReadonlyMap<string, number>;
  /** Start of the history that is searched: the first visit, or {@link MAX_DAYS_OF_RANGE} days before the range. */
  since: number;
  /** Whether the project has enough history before the range to call something new. */
  isKnown: boolean;
  /** Whether the project's first visit is before the comparison range. */
  isCompared: boolean;
}

/** @param first time of the project's first counted visit, in milliseconds since the epoch. */
export async function countRange(
  counts: CountsRepository,
  { first, ...asked }: Pick<CountedRange, 'snapshot' | 'projectId' | 'range' | 'previous' | 'last'> & { first: number },
): Promise<CountedRange> {
  const { snapshot, projectId, range } = asked;
  const current = await counts.byAgent(snapshot, projectId, range);
  const previous = await counts.byAgent(snapshot, projectId, asked.previous);
  const byAgent = (rows: typeof current) =>
    new Map(
      visitsByAgent(rows)
        .map(({ agentId, visits, verification_failed: spoofed }) => [agentId, visits - spoofed] as const)
        .filter(([, visits]) => visits > 0),
    );
  return {
    ...asked,
    totals: totalsOf(current),
    previousTotals: totalsOf(previous),
    visits: byAgent(current),
    previousVisits: byAgent(previous),
    since: Math.max(first, range.from - MAX_DAYS_OF_RANGE * DAY_MS),
    isKnown: first <= range.from - Math.min(range.to - range.from, MAX_KNOWN_MS),
    isCompared: first <= asked.previous.from,
  };
}
