import { dimensionParts } from '#libs/contracts';
import type { DimensionSpan } from '#libs/visit-store';

/** Visits of a group of user agents in a range, as ingest counts them. */
export interface CountedGroup {
  group: string;
  visits: number;
  likely: number;
  /** In any of its visits. */
  signs: Set<string>;
  /** When the buckets begin that have its first and its last visit, in milliseconds since the epoch. */
  firstAt: number;
  lastAt: number;
}

interface CountedGroups {
  likely: number;
  unclear: number;
  /** Visits of groups that are too many to be told apart. */
  others: number;
  /** The most frequent first. */
  groups: CountedGroup[];
}

/**
 * Adds up the counts of {@link UNLISTED_DIMENSION}: a group has one for each verdict and set of signs.
 *
 * @param verdicts those that are counted; null for all.
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
