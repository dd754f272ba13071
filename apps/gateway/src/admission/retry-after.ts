export const MAX_RETRY_AFTER_SECONDS = 8;

/** Returns a random `Retry-After` in seconds, so refused clients don't all come back at once. */
export const spreadRetryAfter = (): number => 1 + Math.floor(Math.random() * MAX_RETRY_AFTER_SECONDS);
