/**
 * Waits for a promise, for some milliseconds at most, where every visit waits. `p-timeout` sets a property on each promise that
 * it returns: in Node 24 such promises, and all that they lead to, are kept until the old generation is collected.
 *
 * After a stall of the event loop, expired timers run before sockets are read. Responses that arrived during the stall count as in
 * time, so the deadline passes only after that read.
 *
 * @returns whether it was fulfilled in time.
 * @throws what it is rejected with in time.
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
