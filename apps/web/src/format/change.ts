/** Minimum previous count for a factor such as "×12". */
const MIN_PREVIOUS_COUNT = 5;
/** Ratio at which the previous count becomes negligible. */
const MAX_RATIO = 100;

/** Returns true if the previous count is too small for a meaningful comparison. */
export const isNegligible = (current: number, previous: number): boolean =>
  previous === 0 || current / previous >= MAX_RATIO;

/** Describes the change in a number. Shares (0 to 1) change by percentage points. Null means no data. */
export function formatChange(current: number | null, previous: number | null, isShare: boolean): string {
  if (current === null) return previous === null ? 'unchanged' : `${formatPercent(previous)} before`;
  if (previous === null) return 'no previous data';
  if (isShare) {
    const points = Math.round(100 * current) - Math.round(100 * previous);
    return points === 0 ? 'unchanged' : `${formatSigned(points)} ${Math.abs(points) === 1 ? 'point' : 'points'}`;
  }
  if (current === previous) return 'unchanged';
  const ratio = current / previous;
  if (ratio >= 10)
    return previous < MIN_PREVIOUS_COUNT || isNegligible(current, previous) ? 'new' : `×${Math.round(ratio)}`;
  const percent = Math.round(100 * (ratio - 1));
  return percent === 0 ? 'about the same' : `${formatSigned(percent)}%`;
}

/**
 * Formats a share (0 to 1) as a percentage. Values near 0% and 100% get a decimal, so that they aren't rounded to 0% or
 * 100%.
 */
export function formatPercent(share: number | null): string {
  if (share === null) return '–';
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) return 'under 0.1%';
  if (percent > 99.9 && percent < 100) return 'over 99.9%';
  const digits = percent < 10 || percent > 99 ? 1 : 0;
  return `${Number(percent.toFixed(digits))}%`;
}

/**
 * Returns the share of an agent's visits that have a given result. Returns null if the agent has no visits, or if it
 * can't be verified and no visit has the result.
 */
export const getResultShare = (
  visits: number,
  { of, isVerifiable }: { of: number; isVerifiable: boolean },
): number | null => (visits === 0 && (of === 0 || !isVerifiable) ? null : visits / of);

const formatSigned = (value: number): string => (value < 0 ? `−${-value}` : `+${value}`);
