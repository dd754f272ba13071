import { toAdverbial } from '../../range/comparison.js';

/** Square of the z-score from which a difference between two counts is unlikely to be chance (90%). */
const MIN_SQUARED_SCORE = 2.7;
/** Sum of two counts from which they can be called about the same. */
const MIN_SUM = 200;

/** Returns true if two counts of independent events differ by more than chance explains, with Yates’s correction. */
export const isClearDifference = (one: number, other: number): boolean =>
  Math.max(0, Math.abs(one - other) - 1) ** 2 > MIN_SQUARED_SCORE * (one + other);

/** Continues a sentence that ends with the current count. @param before Name of the comparison range. */
export function describeTrend(current: number, previous: number, before: string): string {
  const then = toAdverbial(before);
  if (current === previous) return `, as many as ${then}`;
  const earlier = `${then} (${previous.toLocaleString('en-US')})`;
  if (isClearDifference(current, previous)) return `, ${current > previous ? 'more' : 'fewer'} than ${earlier}`;
  return current + previous < MIN_SUM
    ? `. That’s too few to tell a trend from chance (${previous.toLocaleString('en-US')} ${then})`
    : `, about as many as ${earlier}`;
}
