/** Runs work as soon as a slot is free. */
type Limit = (work: () => Promise<void>) => Promise<void>;

interface WaitOptions {
  timeoutMs: number;
  /** Creates the error for work that hasn't started in time. */
  timeoutError: () => Error;
}

/** Runs work under a concurrency limit. The timeout applies only to the wait for a slot, not to started work. */
export function runLimited<T>(
  limit: Limit,
  { timeoutMs, timeoutError }: WaitOptions,
  work: () => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let hasTimedOut = false;
    const timer = setTimeout(() => {
      hasTimedOut = true;
      reject(timeoutError());
    }, timeoutMs);
    limit(async () => {
      if (hasTimedOut) return;
      clearTimeout(timer);
      resolve(await work());
    }).catch(reject);
  });
}
