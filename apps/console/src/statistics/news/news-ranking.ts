/** Lower scores are noise. */
const MIN_CHANGE_SCORE = 10;
const MIN_CHANGE_RATIO = 1.5;
const MIN_ERRORS = 20;
/** Minimum number of failed verifications of an agent from new networks. */
export const MIN_SPOOFED_VISITS = 5;
/** Minimum visits at the same times of an earlier day. With fewer, their absence means nothing. */
export const MIN_EXPECTED_VISITS = 20;
/** Minimum share of visits with errors. The second is for ranges without earlier visits to compare with. */
const MIN_ERROR_SHARE = 0.01;
const MIN_ERROR_SHARE_ALONE = 0.1;
const MIN_ERROR_RATIO = 2;

/**
 * Returns a score for the importance of a change, or 0 for noise. The score is the difference multiplied by its share
 * of all visits before and after, so it reflects both absolute and relative change.
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

/** Returns whether errors are news. @param before null if there's nothing to compare with. */
export function isErrorNews(now: ErrorCount, before: ErrorCount | null): boolean {
  const share = shareOf(now);
  if (now.errors < MIN_ERRORS || share < MIN_ERROR_SHARE) return false;
  return before === null ? share >= MIN_ERROR_SHARE_ALONE : share >= MIN_ERROR_RATIO * shareOf(before);
}

/**
 * Returns whether agents' errors could be news, given the errors of all visitors. Avoids reading visits if there are
 * too few errors for {@link isErrorNews}.
 *
 * @param agentVisits total of agents' visits.
 */
export function mayBeErrorNews(now: ErrorCount, before: ErrorCount | null, agentVisits: number): boolean {
  const share = before === null ? MIN_ERROR_SHARE_ALONE : MIN_ERROR_SHARE;
  const least = Math.max(MIN_ERRORS, share * agentVisits);
  if (before === null) return now.errors >= least;
  return now.errors - shareOf(before) * now.visits >= least * (1 - 1 / MIN_ERROR_RATIO);
}

const shareOf = ({ errors, visits }: ErrorCount): number => (visits === 0 ? 0 : errors / visits);

/** Interleaves lists: the first item of each, then the second of each, and so on. No kind crowds out another. */
export function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}
