/** Square of the z-score from which a difference between two counts is unlikely to be chance (90%). */
const MIN_SQUARED_SCORE = 2.7;

/** Returns true if two counts of independent events differ by more than chance explains, with Yates’s correction. */
export const isClearDifference = (one: number, other: number): boolean =>
  Math.max(0, Math.abs(one - other) - 1) ** 2 > MIN_SQUARED_SCORE * (one + other);
