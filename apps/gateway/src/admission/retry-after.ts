export const MAX_RETRY_AFTER_SECONDS = 8;

/** Seconds after which an overloaded service is to be asked again: at random, so that not all clients come back at once. */
export const spreadRetryAfter = (): number => 1 + Math.floor(Math.random() * MAX_RETRY_AFTER_SECONDS);
