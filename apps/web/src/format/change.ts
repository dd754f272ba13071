/** Smallest previous count that is compared by a factor such as "×12". */
const FEW = 5;
/** From this factor on, the previous count is negligible. */
const MAX_RATIO = 100;

/** Returns true if the previous count is too small for a meaningful comparison. */
export const isNearlyNone = (current: number, previous: number): boolean =>
  previous === 0 || current / previous >= MAX_RATIO;

/** Describes the change of a number. Shares (0 to 1) change by percentage points. Null means that there is no data. */
export function changeText(current: number | null, previous: number | null, isShare: boolean): string {
  if (current === null) return previous === null ? 'unchanged' : `${percentText(previous)} before`;
  if (previous === null) return 'no previous data';
  if (isShare) {
    const points = Math.round(100 * current) - Math.round(100 * previous);
    return points === 0 ? 'unchanged' : `${signed(points)} ${Math.abs(points) === 1 ? 'point' : 'points'}`;
  }
  if (current === previous) return 'unchanged';
  const ratio = current / previous;
  if (ratio >= 10) return previous < FEW || isNearlyNone(current, previous) ? 'new' : `×${Math.round(ratio)}`;
  const percent = Math.round(100 * (ratio - 1));
  return percent === 0 ? 'about the same' : `${signed(percent)} %`;
}

/** Formats a share (0 to 1) as a percentage. A decimal near 0 and 100 % avoids rounding to either. */
export function percentText(share: number | null): string {
  if (share === null) return '–';
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) return 'under 0.1 %';
  if (percent > 99.9 && percent < 100) return 'over 99.9 %';
  const digits = percent < 10 || percent > 99 ? 1 : 0;
  return `${Number(percent.toFixed(digits))} %`;
}

/**
 * Returns the share of an agent's visits with a given result. Returns null if the agent has no visits. Also returns
 * null if no visit has the result and the agent can't be verified.
 */
export const verifiedShare = (
  visits: number,
  { of, isVerifiable }: { of: number; isVerifiable: boolean },
): number | null => (visits === 0 && (of === 0 || !isVerifiable) ? null : visits / of);

const signed = (value: number): string => (value < 0 ? `−${-value}` : `+${value}`);
