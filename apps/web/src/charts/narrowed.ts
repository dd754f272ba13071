import type { Range } from '../range/range.js';

/**
 * The range of some items of a chart, from the first to the last one chosen, whichever way round.
 *
 * @param starts when each item begins; the first may begin before the range does.
 */
export function narrowed(starts: readonly string[], one: number, other: number, { from, to }: Range): Range {
  const [first, last] = one < other ? [one, other] : [other, one];
  const start = starts[first] ?? from;
  return { from: first === 0 ? from : start, to: starts[last + 1] ?? to };
}
