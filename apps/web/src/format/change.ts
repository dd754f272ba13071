/** Of so few, a multiple says nothing. */
const FEW = 5;
/** Of so many times as many, there was nearly nothing before. */
const MAX_RATIO = 100;

/** Whether there was so little before that comparing says nothing. */
export const isNearlyNone = (current: number, previous: number): boolean =>
  previous === 0 || current / previous >= MAX_RATIO;

/** How a number differs from an earlier one; shares, from 0 to 1, by points of a hundred, and `null` of nothing. */
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

/** A share as a percentage. Near 0 and 100 it has a decimal place, so that it is neither rounded to a nearby limit. */
export function percentText(share: number | null): string {
  if (share === null) return '–';
  const percent = 100 * share;
  if (percent > 0 && percent < 0.1) return 'under 0.1 %';
  if (percent > 99.9 && percent < 100) return 'over 99.9 %';
  const digits = percent < 10 || percent > 99 ? 1 : 0;
  return `${Number(percent.toFixed(digits))} %`;
}

/** The share of an agent's visits that have a result; of an agent that has no way to prove itself there is none. */
export const verifiedShare = (
  visits: number,
  { of, isVerifiable }: { of: number; isVerifiable: boolean },
): number | null => (visits === 0 && (of === 0 || !isVerifiable) ? null : visits / of);

const signed = (value: number): string => (value < 0 ? `−${-value}` : `+${value}`);
