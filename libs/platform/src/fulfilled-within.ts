/**
 * Waits for a promise to settle, up to a timeout.
 *
 * After the event loop stalls, expired timers run before sockets are read. The timeout is therefore only applied after
 * that read, so responses that arrived during the stall still count as in time.
 *
 * @returns True if the promise was fulfilled in time.
 * @throws The promise's rejection reason, if it is rejected in time.
 */
export async function isFulfilledWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => setImmediate(resolve, false), timeoutMs);
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
