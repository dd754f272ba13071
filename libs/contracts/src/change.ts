/**
 * Returns true if the first visit isn't after the start of the comparison range. Otherwise, there is nothing to compare
 * with. Both times are in milliseconds since the epoch.
 *
 * @param firstVisit Null if the project has no visits.
 */
export const hasEarlierData = (firstVisit: number | null, comparedFrom: number): boolean =>
  firstVisit !== null && firstVisit <= comparedFrom;

/** Minimum previous count for a percentage or a factor such as "×12". */
const MIN_PREVIOUS_COUNT = 5;

/** Text for a change that can't be calculated, because the comparison range started before the first visit. */
export const NO_EARLIER_DATA = 'no earlier data';
export const NO_CHANGE = 'unchanged';
/** Text for a change that rounds to zero. */
export const NEGLIGIBLE_CHANGE = 'about the same';

/**
 * Formats a share (0 to 1) as a percentage. Values near 0% and 100% get a decimal, so that they aren't rounded to 0% or
 * 100%.
 */
export function formatPercent(share: number | null): string {
  if (share === null) return '–';
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) return 'under 0.1%';
  if (percent > 99.9 && percent < 100) return 'over 99.9%';
  return `${roundPercent(percent)}%`;
}

/**
 * Describes the change in a count, or in a share (0 to 1), which changes by percentage points. Null means no data.
 * Changes from small counts are stated as counts, because their percentages would be meaningless.
 */
export function formatChange(current: number | null, previous: number | null, isShare = false): string {
  if (current === null) return previous === null ? NO_CHANGE : `from ${formatPercent(previous)}`;
  if (previous === null) return NO_EARLIER_DATA;
  if (current === previous) return NO_CHANGE;
  if (isShare) {
    const exact = 100 * (current - previous);
    const points = Math.abs(exact) < 1 ? roundPercent(exact) : roundChange(exact);
    return points === 0 ? NEGLIGIBLE_CHANGE : `${formatSigned(points)} ${Math.abs(points) === 1 ? 'point' : 'points'}`;
  }
  if (previous === 0) return 'new';
  const ratio = current / previous;
  if (previous < MIN_PREVIOUS_COUNT) return `from ${previous.toLocaleString('en-US')}`;
  if (ratio >= 10) return `×${Math.round(ratio).toLocaleString('en-US')}`;
  const percent = roundChange(100 * (ratio - 1));
  return percent === 0 ? NEGLIGIBLE_CHANGE : `${formatSigned(percent)}%`;
}

/** Maximum number of things whose change is stated as a difference. */
const MAX_FEW = 99;

/** Describes the change in the number of a few things, such as "+1" agents. Larger numbers change by percentages. */
export const formatChangeOfFew = (current: number | null, previous: number | null): string =>
  current === null || previous === null || current === previous || Math.max(current, previous) > MAX_FEW
    ? formatChange(current, previous)
    : formatSigned(current - previous);

/** Rounds a change to an integer, except up to ±100. */
const roundChange = (percent: number): number =>
  Math.abs(percent) > 99 && Math.abs(percent) < 100 ? Math.trunc(percent) : Math.round(percent);

/** Rounds to one decimal below 10 and between 99 and 100, and to an integer otherwise. Never rounds up to ±100. */
function roundPercent(percent: number): number {
  const size = Math.abs(percent);
  if (size > 99 && size < 100) return Math.trunc(10 * percent) / 10;
  return Number(percent.toFixed(size < 10 ? 1 : 0));
}

const formatSigned = (value: number): string => (value < 0 ? `−${-value}` : `+${value}`);
