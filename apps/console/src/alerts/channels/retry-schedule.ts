/** Seconds between attempts, from the example in Standard Webhooks 1.0. About three days in total. */
const DELAYS_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Attempts per delivery, including the first. */
export const MAX_ATTEMPTS = DELAYS_SECONDS.length + 1;
/** Maximum `Retry-After`. Longer ones are cut to it. */
const MAX_RETRY_AFTER_SECONDS = 86_400;
/** Maximum random extension of a delay, as a fraction. It spreads out deliveries that failed together. */
const JITTER = 0.1;

/**
 * Returns the milliseconds until the next attempt, or null after the last one.
 *
 * @param attempts number of attempts so far.
 * @param retryAfterSeconds delay requested by the receiver, if any.
 * @param random from 0 to 1.
 */
export function retryDelayMs(attempts: number, retryAfterSeconds: number | null, random: number): number | null {
  const delay = DELAYS_SECONDS[attempts - 1];
  if (delay === undefined) return null;
  const asked = Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  return Math.ceil(Math.max(delay * (1 + JITTER * random), asked) * 1_000);
}

/** Parses a `Retry-After` header: seconds or a date. Returns seconds, or null if the header is missing or invalid. */
export function retryAfterSeconds(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}(?:\.\d+)?$/.test(header)) return Number(header);
  const time = Date.parse(header);
  return Number.isNaN(time) ? null : Math.max(0, (time - now) / 1_000);
}
