/** Seconds from an attempt to the next one, the example of Standard Webhooks 1.0: three days in all. */
const DELAYS_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Attempts that are made of a delivery. */
export const MAX_ATTEMPTS = DELAYS_SECONDS.length + 1;
/** What a receiver asks for counts up to here. */
const MAX_RETRY_AFTER_SECONDS = 86_400;
/** Of a delay, so that what failed together does not come together again. */
const JITTER = 0.1;

/**
 * Returns milliseconds until the next attempt; null where there is none.
 *
 * @param attempts that were made.
 * @param retryAfterSeconds what the receiver asked for.
 * @param random from 0 to 1.
 */
export function retryDelayMs(attempts: number, retryAfterSeconds: number | null, random: number): number | null {
  const delay = DELAYS_SECONDS[attempts - 1];
  if (delay === undefined) return null;
  const asked = Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  return Math.ceil(Math.max(delay * (1 + JITTER * random), asked) * 1_000);
}

/** Reads Retry-After, seconds or a date. @returns seconds; null where it says nothing. */
export function retryAfterSeconds(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}(?:\.\d+)?$/.test(header)) return Number(header);
  const time = Date.parse(header);
  return Number.isNaN(time) ? null : Math.max(0, (time - now) / 1_000);
}
