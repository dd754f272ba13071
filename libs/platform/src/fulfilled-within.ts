/**
 * Waits for a promise until a deadline.
 *
 * After a stall of the event loop, expired timers run before sockets are read. The deadline passes only after that
 * read, so responses that arrived during the stall are in time.
 *
 * @returns true if the promise was fulfilled in time.
 * @throws The rejection reason, if the promise is rejected in time.
 */
export async function isFulfilledWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => setImmediate(resolve, false), milliseconds);
  try {
    return await Promise.race([promise.then(() => true), over]);
  } finally {
    clearTimeout(timer);
  }
}
