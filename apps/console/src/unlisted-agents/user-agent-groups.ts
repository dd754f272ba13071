import { parseDimension } from '#libs/contracts';
import type { DimensionSpan } from '#libs/visit-store';

/** Counts for a group of user agents in a range. */
export interface GroupCount {
  group: string;
  visits: number;
  likely: number;
  signs: Set<string>;
  /** Start of the bucket with the first visit, in milliseconds since the epoch. */
  firstAt: number;
  /** Start of the bucket with the last visit, in milliseconds since the epoch. */
  lastAt: number;
}

interface GroupCounts {
  likely: number;
  unclear: number;
  /** Visits by user agents over the limit, which are counted together. */
  others: number;
  groups: GroupCount[];
}

/**
 * Sums the counts in {@link UNLISTED_DIMENSION} by group. Each group has one count for each verdict and set of signs.
 *
 * @param verdicts Verdicts to include in `groups`, or null to include all.
 */
export function sumByGroup(counts: readonly DimensionSpan[], verdicts: readonly string[] | null): GroupCounts {
  const byGroup = new Map<string, GroupCount>();
  const sums = { likely: 0, unclear: 0, others: 0 };
  for (const { value, visits, first_at: firstAt, last_at: lastAt } of counts) {
    if (value === '') {
      sums.others += visits;
      continue;
    }
    const [verdict = '', group = '', ...signs] = parseDimension(value);
    sums[verdict === 'likely' ? 'likely' : 'unclear'] += visits;
    if (verdicts !== null && !verdicts.includes(verdict)) continue;
    const [first, last] = [firstAt.getTime(), lastAt.getTime()];
    const newGroup = { group, visits: 0, likely: 0, signs: new Set<string>(), firstAt: first, lastAt: last };
    const groupCount = byGroup.get(group) ?? newGroup;
    byGroup.set(group, groupCount);
    groupCount.visits += visits;
    if (verdict === 'likely') groupCount.likely += visits;
    for (const sign of signs) groupCount.signs.add(sign);
    groupCount.firstAt = Math.min(groupCount.firstAt, first);
    groupCount.lastAt = Math.max(groupCount.lastAt, last);
  }
  const groups = [...byGroup.values()].toSorted(
    (one, other) => other.visits - one.visits || (one.group < other.group ? -1 : 1),
  );
  return { ...sums, groups };
}
