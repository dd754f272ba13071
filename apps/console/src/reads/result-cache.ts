import { LRUCache } from 'lru-cache';

const TTL_MS = 60_000;
const MAX_RESULTS = 200;

/** Shares results of expensive reads between all viewers for a minute. Concurrent reads of the same key are also shared. */
export class ResultCache {
  private readonly results = new LRUCache<string, Promise<unknown>>({ max: MAX_RESULTS, ttl: TTL_MS });

  /** @param read Computes the result. Must always return the same type for a key. */
  get<T>(key: string, read: () => Promise<T>): Promise<T> {
    const cached = this.results.get(key) as Promise<T> | undefined;
    if (cached !== undefined) return cached;
    const result = read();
    this.results.set(key, result);
    // Don't cache errors.
    result.catch(() => this.results.get(key) === result && this.results.delete(key));
    return result;
  }
}
