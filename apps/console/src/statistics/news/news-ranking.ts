/** Changes with a lower score are noise. */
const MIN_CHANGE_SCORE = 10;
const MIN_CHANGE_RATIO = 1.5;
const MIN_ERRORS = 20;
/** Minimum number of failed verifications from new networks to report an agent as spoofed. */
export const MIN_SPOOFED_VISITS = 5;
/**
 * Minimum number of visits at the same time on an earlier day. With fewer, it isn't unusual that an agent sends no
 * visits.
 */
export const MIN_EXPECTED_VISITS = 20;
/** Minimum share of visits with errors. A higher minimum applies if there are no earlier visits to compare. */
const MIN_ERROR_SHARE = 0.01;
const MIN_ERROR_SHARE_WITHOUT_COMPARISON = 0.1;
const MIN_ERROR_RATIO = 2;

/**
 * Returns a score for the importance of a change, or 0 for noise. The score is the difference multiplied by its share
 * of all visits before and after. It therefore reflects both the absolute and the relative change.
 */
export function changeScore(visits: number, previous: number): number {
  const [less, more] = visits < previous ? [visits, previous] : [previous, visits];
  const score = more === 0 ? 0 : (more - less) ** 2 / (more + less);
  return score >= MIN_CHANGE_SCORE && more >= MIN_CHANGE_RATIO * less ? score : 0;
}

interface ErrorCount {
  errors: number;
  visits: number;
}

/**
 * Returns whether errors are frequent enough, and have risen enough, to be reported.
 *
 * @param before Null if there are no earlier visits to compare.
 */
export function isErrorNews(now: ErrorCount, before: ErrorCount | null): boolean {
  const share = getErrorShare(now);
  if (now.errors < MIN_ERRORS || share < MIN_ERROR_SHARE) return false;
  return before === null
    ? share >= MIN_ERROR_SHARE_WITHOUT_COMPARISON
    : share >= MIN_ERROR_RATIO * getErrorShare(before);
}

/**
 * Returns whether agents' errors could be news, judging by errors across all visitors. Avoids reading visits if there
 * are too few errors for {@link isErrorNews}.
 *
 * @param agentVisits Total number of visits by agents.
 */
export function mayBeErrorNews(now: ErrorCount, before: ErrorCount | null, agentVisits: number): boolean {
  const share = before === null ? MIN_ERROR_SHARE_WITHOUT_COMPARISON : MIN_ERROR_SHARE;
  const minErrors = Math.max(MIN_ERRORS, share * agentVisits);
  if (before === null) return now.errors >= minErrors;
  return now.errors - getErrorShare(before) * now.visits >= minErrors * (1 - 1 / MIN_ERROR_RATIO);
}

const getErrorShare = ({ errors, visits }: ErrorCount): number => (visits === 0 ? 0 : errors / visits);

/** Returns the first item of each list, then the second of each, and so on, so no list crowds out another. */
export function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}
