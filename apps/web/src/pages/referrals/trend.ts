import { isClearDifference } from '../../range/clear-difference.js';
import { toAdverbial } from '../../range/adverbial.js';

/** Sum of two counts from which they can be called about the same. */
const MIN_SUM = 200;

/** Continues a sentence that ends with the current count. @param before Name of the comparison range. */
export function describeTrend(current: number, previous: number, before: string): string {
  const then = toAdverbial(before);
  if (current === previous) return `, as many as ${then}`;
  const earlier = `${then} (${previous.toLocaleString('en-US')})`;
  if (isClearDifference(current, previous)) return `, ${current > previous ? 'more' : 'fewer'} than ${earlier}`;
  return current + previous < MIN_SUM
    ? `. That’s too few to call a trend (${previous.toLocaleString('en-US')} ${then})`
    : `, about as many as ${earlier}`;
}
