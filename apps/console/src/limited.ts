/** Runs work as soon as a slot is free. */
type Limit = (work: () => Promise<void>) => Promise<void>;

interface Wait {
  timeoutMs: number;
  /** Creates the error for work that hasn't started in time. */
  timeoutError: () => Error;
}

/** Runs work under a limit. The timeout only applies to waiting. Work that has started is never canceled. */
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
