import type { Range } from '../range/range.js';

/**
 * Returns the range covered by the items between two selected ones, in either order.
 *
 * @param starts Start times of the items. The first can be before the range.
 */
export function narrowed(starts: readonly string[], one: number, other: number, { from, to }: Range): Range {
  const [first, last] = one < other ? [one, other] : [other, one];
  const start = starts[first] ?? from;
  return { from: first === 0 ? from : start, to: starts[last + 1] ?? to };
}
