import { MAX_RANGE_DAYS, type NewsItem, type Totals } from '#libs/contracts';
import { hasEarlierData } from '#libs/contracts/change';
import type { CountsRepository, Snapshot } from '#libs/visit-store';
import type { TimeRange } from '../time-range.js';
import { sumTotals, sumByAgent } from '../visit-counts.js';

const DAY_MS = 86_400_000;
/**
 * An agent or network only counts as new if there is enough history before the range. More history than this is never
 * required.
 */
const MAX_REQUIRED_HISTORY_MS = 7 * DAY_MS;

export type NewsItemOfKind<K extends NewsItem['kind']> = Extract<NewsItem, { kind: K }>;
/** News item before the agent's names are added. */
export type WithoutAgentNames<I> = I extends { agent_id: string }
  ? Omit<I, 'agent_token' | 'agent_type_name' | 'operator_name'>
  : I extends { agents: { agent_id: string; visits: number }[] }
    ? Omit<I, 'agents'> & { agents: { agent_id: string; visits: number }[] }
    : I;

/** A time range and its comparison range, with the counts that all kinds of news use. */
export interface CountedRange {
  snapshot: Snapshot;
  projectId: string;
  range: TimeRange;
  previous: TimeRange;
  totals: Totals;
  previousTotals: Totals;
  /** Time of the project's most recent visit, in milliseconds since the epoch. */
  last: number;
  /** Visits by agent, excluding failed verifications. */
  visits: ReadonlyMap<string, number>;
  previousVisits: ReadonlyMap<string, number>;
  /**
   * Start of the history to search for earlier visits. Usually the first visit, but at most {@link MAX_RANGE_DAYS} days
   * before the range.
   */
  since: number;
  /** True if there's enough history before the range to know that an agent or network is new. */
  isKnown: boolean;
  /** True if the comparison range doesn't start before the project's first visit. */
  isCompared: boolean;
}

/** @param first Time of the project's first counted visit, in milliseconds since the epoch. */
export async function countRange(
  counts: CountsRepository,
  { first, ...input }: Pick<CountedRange, 'snapshot' | 'projectId' | 'range' | 'previous' | 'last'> & { first: number },
): Promise<CountedRange> {
  const { snapshot, projectId, range } = input;
  const current = await counts.byAgent(snapshot, projectId, range);
  const previous = await counts.byAgent(snapshot, projectId, input.previous);
  const byAgent = (rows: typeof current) =>
    new Map(
      sumByAgent(rows)
        .map(({ agentId, visits, verification_failed: spoofed }) => [agentId, visits - spoofed] as const)
        .filter(([, visits]) => visits > 0),
    );
  return {
    ...input,
    totals: sumTotals(current),
    previousTotals: sumTotals(previous),
    visits: byAgent(current),
    previousVisits: byAgent(previous),
    since: Math.max(first, range.from - MAX_RANGE_DAYS * DAY_MS),
    isKnown: first <= range.from - Math.min(range.to - range.from, MAX_REQUIRED_HISTORY_MS),
    isCompared: hasEarlierData(first, input.previous.from),
  };
}
