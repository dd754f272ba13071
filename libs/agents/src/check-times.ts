/** Times of the visit (`at`) and of the check (`now`), in milliseconds since the epoch. */
export interface CheckTimes {
  at: number;
  now: number;
}

const WEEK_MS = 7 * 86_400_000;

/**
 * Returns true if data from the given time is recent enough to refute a claim. Addresses and host names change hands,
 * so a visit or list that is more than 7 days old can only confirm a claim.
 */
export function canRefute(time: number, now: number): boolean {
  return now - time <= WEEK_MS;
}
