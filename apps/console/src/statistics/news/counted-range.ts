import { MAX_DAYS_OF_RANGE, type NewsItem, type Totals } from '#libs/contracts';
import type { CountsRepository, Snapshot } from '#libs/visit-store';
import type { TimeRange } from '../time-range.js';
import { totalsOf, visitsByAgent } from '../visit-counts.js';

const DAY_MS = 86_400_000;
/** Of what came before a range, to call something new; less for a shorter range. */
const MAX_KNOWN_MS = 7 * DAY_MS;

export type NewsOf<K extends NewsItem['kind']> = Extract<NewsItem, { kind: K }>;
/** An item whose agent is yet to be named. */
export type Unnamed<I> = I extends { agent_id: string }
  ? Omit<I, 'agent_token' | 'agent_type_name' | 'operator_name'>
  : I;

/** A range whose visits were counted, and the one that it is compared with: what every kind of news looks at. */
export interface CountedRange {
  snapshot: Snapshot;
  projectId: string;
  range: TimeRange;
  previous: TimeRange;
  totals: Totals;
  previousTotals: Totals;
  /** When the project's newest visit occurred, in milliseconds since the epoch. */
  last: number;
  /** Visits by agent, without those that only claimed to be of it. */
  visits: ReadonlyMap<string, number>;
  previousVisits: ReadonlyMap<string, number>;
  /** Where looking back ends: with the first visit, or {@link MAX_DAYS_OF_RANGE} days before the range. */
  since: number;
  /** Whether there were visits long enough before the range to call something new. */
  isKnown: boolean;
  /** Whether there were visits by the start of the range that it is compared with. */
  isCompared: boolean;
}

/** @param first when the project's first visit was counted. */
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
