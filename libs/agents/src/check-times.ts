/** When a visit took place, and when it is judged; milliseconds since the epoch. */
export interface CheckTimes {
  at: number;
  now: number;
}

const WEEK_MS = 7 * 86_400_000;

/**
 * Whether something of that time can still say "no": addresses and host names change hands, so what is older than
 * 7 days, a list as well as a visit, can only say "yes".
 */
export function canRefute(time: number, now: number): boolean {
  return now - time <= WEEK_MS;
}
