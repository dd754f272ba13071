/** Delays between attempts, about three days in total. Source: the example schedule in Standard Webhooks 1.0. */
const DELAYS_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Number of attempts per delivery, including the first one. */
export const MAX_ATTEMPTS = DELAYS_SECONDS.length + 1;
/** Longer `Retry-After` delays are reduced to this value. */
const MAX_RETRY_AFTER_SECONDS = 86_400;
/**
 * Maximum random increase of a delay, as a fraction of the delay. Spreads out retries of deliveries that failed
 * together.
 */
const MAX_JITTER = 0.1;

/**
 * Returns the delay until the next attempt in milliseconds, or null if no attempts remain.
 *
 * @param attempts Number of attempts so far.
 * @param retryAfterSeconds Delay requested by the receiver, if any.
 * @param random Number from 0 to 1 for the jitter.
 */
export function retryDelayMs(attempts: number, retryAfterSeconds: number | null, random: number): number | null {
  const delaySeconds = DELAYS_SECONDS[attempts - 1];
  if (delaySeconds === undefined) return null;
  const requestedSeconds = Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  return Math.ceil(Math.max(delaySeconds * (1 + MAX_JITTER * random), requestedSeconds) * 1_000);
}

/**
 * Parses a `Retry-After` header, which contains seconds or a date. Returns seconds, or null if it is missing or
 * invalid.
 */
export function retryAfterSeconds(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}(?:\.\d+)?$/.test(header)) return Number(header);
  const time = Date.parse(header);
  return Number.isNaN(time) ? null : Math.max(0, (time - now) / 1_000);
}
