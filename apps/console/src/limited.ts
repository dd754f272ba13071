/** Runs work when its turn comes. */
type Limit = (work: () => Promise<void>) => Promise<void>;

interface Wait {
  timeoutMs: number;
  /** Makes what is thrown when the work has not begun by then. */
  timeoutError: () => Error;
}

/** Runs work under a limit. Gives up waiting for its turn after a time, never work that has begun. */
export function limited<T>(limit: Limit, { timeoutMs, timeoutError }: Wait, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(timeoutError());
    }, timeoutMs);
    limit(async () => {
      if (isLate) return;
      clearTimeout(timer);
      resolve(await work());
    }).catch(reject);
  });
}
