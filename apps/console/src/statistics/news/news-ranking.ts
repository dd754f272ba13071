/** Below it a change of an agent's visits is noise. */
const MIN_CHANGE_SCORE = 10;
/** How many times the smaller number the larger one is, at least. */
const MIN_CHANGE_RATIO = 1.5;
const MIN_ERRORS = 20;
/** Of an agent, from networks that are new. */
export const MIN_SPOOFED_VISITS = 5;
/** Visits at the same times of an earlier day, for their absence to mean something. */
export const MIN_EXPECTED_VISITS = 20;
/** Share of visits with errors, at least, and without visits before to compare it with. */
const MIN_ERROR_SHARE = 0.01;
const MIN_ERROR_SHARE_ALONE = 0.1;
const MIN_ERROR_RATIO = 2;

/**
 * Returns how much a change matters: the difference times its share of all visits, now and before, so that it counts both
 * absolutely and relatively. 0 for noise.
 */
export function changeScore(visits: number, previous: number): number {
  const [less, more] = visits < previous ? [visits, previous] : [previous, visits];
  const score = more === 0 ? 0 : (more - less) ** 2 / (more + less);
  return score >= MIN_CHANGE_SCORE && more >= MIN_CHANGE_RATIO * less ? score : 0;
}

/** Visits with an error, out of all. */
interface ErrorCount {
  errors: number;
  visits: number;
}

/** Whether errors are news. @param before null where there is nothing to compare with. */
export function isErrorNews(now: ErrorCount, before: ErrorCount | null): boolean {
  const share = shareOf(now);
  if (now.errors < MIN_ERRORS || share < MIN_ERROR_SHARE) return false;
  return before === null ? share >= MIN_ERROR_SHARE_ALONE : share >= MIN_ERROR_RATIO * shareOf(before);
}

/**
 * Whether it is worth looking whose errors they are, given those of agents and people together: what {@link isErrorNews} asks
 * of agents takes so many more than there would have been with the share before.
 *
 * @param agentVisits all visits of agents.
 */
export function mayBeErrorNews(now: ErrorCount, before: ErrorCount | null, agentVisits: number): boolean {
  const share = before === null ? MIN_ERROR_SHARE_ALONE : MIN_ERROR_SHARE;
  const least = Math.max(MIN_ERRORS, share * agentVisits);
  if (before === null) return now.errors >= least;
  return now.errors - shareOf(before) * now.visits >= least * (1 - 1 / MIN_ERROR_RATIO);
}

const shareOf = ({ errors, visits }: ErrorCount): number => (visits === 0 ? 0 : errors / visits);

/** Returns the first of each list, then the second of each, and so on: nothing drives out all of another kind. */
export function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}
