import type { Range } from '../range/range.js';

/**
 * Returns the range from one selected item to another, in either order. It includes both items.
 *
 * @param starts Item start times. The first one can precede the range.
 */
export function toSelectedRange(
  starts: readonly string[],
  fromIndex: number,
  toIndex: number,
  { from, to }: Range,
): Range {
  const [first, last] = fromIndex < toIndex ? [fromIndex, toIndex] : [toIndex, fromIndex];
  const start = starts[first] ?? from;
  return { from: first === 0 ? from : start, to: starts[last + 1] ?? to };
}
