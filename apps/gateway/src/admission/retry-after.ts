export const MAX_RETRY_AFTER_SECONDS = 8;

/** Returns a random `Retry-After` value in seconds, so rejected clients don't all retry at once. */
export const randomRetryAfter = (): number => 1 + Math.floor(Math.random() * MAX_RETRY_AFTER_SECONDS);
