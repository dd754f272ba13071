import type { QuarterCount } from '#libs/visit-store';
import type { TimeRange } from '../time-range.js';
import type { NewsItemOfKind } from './counted-range.js';

const QUARTER_MS = 900_000;
/** Minimum share of the errors in the period. */
const MIN_SHARE = 0.9;
/** Maximum share of the range that the period covers. */
const MAX_RANGE_SHARE = 0.25;

type ErrorPeriod = NonNullable<NewsItemOfKind<'errors'>['period']>;

/**
 * Returns the shortest period with almost all errors and the errors right before and after it, or null if errors are
 * spread across the range.
 *
 * @param quarters Sorted by start.
 */
export function findErrorPeriod(quarters: readonly QuarterCount[], range: TimeRange): ErrorPeriod | null {
  const minVisits = MIN_SHARE * sumVisits(quarters);
  let shortest: { first: number; last: number } | null = null;
  const getLength = ({ first, last }: { first: number; last: number }): number =>
    quarters[last]!.start - quarters[first]!.start + QUARTER_MS;
  let [first, visits] = [0, 0];
  for (const [last, quarter] of quarters.entries()) {
    visits += quarter.visits;
    while (visits - quarters[first]!.visits >= minVisits) visits -= quarters[first++]!.visits;
    const period = { first, last };
    if (visits >= minVisits && (shortest === null || getLength(period) < getLength(shortest))) shortest = period;
  }
  if (shortest === null) return null;
  const isFollowed = (index: number): boolean => quarters[index + 1]?.start === quarters[index]!.start + QUARTER_MS;
  while (shortest.first > 0 && isFollowed(shortest.first - 1)) shortest.first -= 1;
  while (isFollowed(shortest.last)) shortest.last += 1;
  const length = getLength(shortest);
  if (length > MAX_RANGE_SHARE * (range.to - range.from)) return null;
  const from = quarters[shortest.first]!.start;
  return {
    from: new Date(from).toISOString(),
    to: new Date(from + length).toISOString(),
    visits: sumVisits(quarters.slice(shortest.first, shortest.last + 1)),
  };
}

const sumVisits = (quarters: readonly QuarterCount[]): number => quarters.reduce((sum, { visits }) => sum + visits, 0);

/** Moves an outage into the item about the server errors right before or after it. */
export function mergeOutage(
  outages: readonly NewsItemOfKind<'outage'>[],
  errors: readonly NewsItemOfKind<'errors'>[],
): { outages: NewsItemOfKind<'outage'>[]; errors: NewsItemOfKind<'errors'>[] } {
  const merged = new Set<NewsItemOfKind<'outage'>>();
  const withOutages = errors.map((item) => {
    const outage = outages.find(({ from, to }) => item.status === '5xx' && isNextTo(item.period, { from, to }));
    if (outage === undefined) return item;
    merged.add(outage);
    const { kind: _, ...gap } = outage;
    return { ...item, outage: gap };
  });
  return { outages: outages.filter((outage) => !merged.has(outage)), errors: withOutages };
}

const isNextTo = (period: ErrorPeriod | null, { from, to }: { from: string; to: string }): boolean =>
  period !== null && [Date.parse(from) - Date.parse(period.to), Date.parse(period.from) - Date.parse(to)].includes(0);
