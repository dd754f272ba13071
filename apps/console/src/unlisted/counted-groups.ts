import { dimensionParts } from '#libs/contracts';
import type { DimensionSpan } from '#libs/visit-store';

/** Counts of a group of user agents in a range. */
export interface CountedGroup {
  group: string;
  visits: number;
  likely: number;
  signs: Set<string>;
  /** Start of the buckets with the first and last visit, in milliseconds since the epoch. */
  firstAt: number;
  lastAt: number;
}

interface CountedGroups {
  likely: number;
  unclear: number;
  /** Visits of user agents over the limit, which are counted together. */
  others: number;
  groups: CountedGroup[];
}

/**
 * Sums up the counts of {@link UNLISTED_DIMENSION}. Each group has a count for each verdict and set of signs.
 *
 * @param verdicts verdicts to include in `groups`. Null for all.
 */
export function countedGroups(counts: readonly DimensionSpan[], verdicts: readonly string[] | null): CountedGroups {
  const byGroup = new Map<string, CountedGroup>();
  const sums = { likely: 0, unclear: 0, others: 0 };
  for (const { value, visits, first_at: firstAt, last_at: lastAt } of counts) {
    if (value === '') {
      sums.others += visits;
      continue;
    }
    const [verdict = '', group = '', ...signs] = dimensionParts(value);
    sums[verdict === 'likely' ? 'likely' : 'unclear'] += visits;
    if (verdicts !== null && !verdicts.includes(verdict)) continue;
    const [first, last] = [firstAt.getTime(), lastAt.getTime()];
    const none = { group, visits: 0, likely: 0, signs: new Set<string>(), firstAt: first, lastAt: last };
    const counted = byGroup.get(group) ?? none;
    byGroup.set(group, counted);
    counted.visits += visits;
    if (verdict === 'likely') counted.likely += visits;
    for (const sign of signs) counted.signs.add(sign);
    counted.firstAt = Math.min(counted.firstAt, first);
    counted.lastAt = Math.max(counted.lastAt, last);
  }
  const groups = [...byGroup.values()].toSorted(
    (one, other) => other.visits - one.visits || (one.group < other.group ? -1 : 1),
  );
  return { ...sums, groups };
}
