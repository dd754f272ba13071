/** Time of a visit, and of the check, in milliseconds since the epoch. */
export interface CheckTimes {
  at: number;
  now: number;
}

const WEEK_MS = 7 * 86_400_000;

/**
 * Returns whether data from this time can still refute a claim. Addresses and host names change hands, so a visit or a
 * list that is more than 7 days old can only prove one.
 */
export function canRefute(time: number, now: number): boolean {
  return now - time <= WEEK_MS;
}
