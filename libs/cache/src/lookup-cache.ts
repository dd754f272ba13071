import { LRUCache } from 'lru-cache';
import pTimeout from 'p-timeout';
import { createLruOptions } from './lru-options.js';

interface LookupCacheOptions<V> {
  /** Loads several keys from the source. The result omits keys without a value. */
  load(keys: string[]): Promise<Map<string, V>>;
  /** Milliseconds between refreshes of all cached values. Changes take effect within this time. */
  refreshIntervalMs?: number;
  /** How long cached values remain valid while the source is unavailable, in milliseconds. */
  maxStaleMs?: number;
  /** Time limit for a response from the source, in milliseconds. */
  timeoutMs?: number;
  /** Maximum number of entries. The least recently used entries are evicted first. */
  maxEntries?: number;
}

/** Thrown if the source is unavailable and the key isn't cached. */
export class LookupUnavailableError extends Error {
  override name = 'LookupUnavailableError';
}

interface Entry<V> {
  value: V;
  /** Time when the source last confirmed the value, as a `performance.now()` value. */
  confirmedAt: number;
  /** Number of the query that returned the value. */
  query: number;
}

/** How long a missing key is cached, in milliseconds. Kept short so that new keys work almost immediately. */
const ABSENT_TTL_MS = 1_000;

/**
 * Cache for lookups from a slow or unreliable source. It refreshes cached values in the background and retains them
 * during outages.
 *
 * Keys that are requested during a query share the next query. A flood of unknown keys therefore causes only one query
 * at a time.
 */
export class LookupCache<V extends {}> {
  private readonly entries: LRUCache<string, Entry<V>>;
  private readonly absent = new LRUCache<string, number>({ ...createLruOptions(10_000), ttl: ABSENT_TTL_MS });
  private queuedKeys = new Map<string, PromiseWithResolvers<V | undefined>>();
  /** Keys in the current query. */
  private inFlightKeys: typeof this.queuedKeys | null = null;
  /** Number of queries started. Results are ignored if a later query has already updated the key. */
  private queryCount = 0;
  private readonly timer: NodeJS.Timeout;
  private readonly options: Required<LookupCacheOptions<V>>;

  constructor(options: LookupCacheOptions<V>) {
    this.options = {
      refreshIntervalMs: 3_000,
      maxStaleMs: 3_600_000,
      timeoutMs: 1_500,
      maxEntries: 10_000,
      ...options,
    };
    this.entries = new LRUCache(createLruOptions(this.options.maxEntries));
    this.timer = setInterval(() => void this.refresh(), this.options.refreshIntervalMs);
    this.timer.unref();
  }

  /** Returns the cached value. Undefined means that the key isn't cached, not that it has no value. */
  getCached(key: string): V | undefined {
    const entry = this.entries.get(key);
    return entry && performance.now() - entry.confirmedAt <= this.options.maxStaleMs ? entry.value : undefined;
  }

  /**
   * Returns the value from the cache or the source, or undefined if the source has none.
   *
   * @throws {LookupUnavailableError} if the source is unavailable and the key isn't cached.
   */
  async get(key: string): Promise<V | undefined> {
    const value = this.getCached(key);
    if (value !== undefined) return value;
    if (this.absent.has(key)) return undefined;
    const pendingLookup = this.inFlightKeys?.get(key);
    return pendingLookup === undefined ? this.enqueue(key) : pendingLookup.promise;
  }

  /**
   * Returns the current value from the source, or the cached value if the source is unavailable.
   *
   * @throws {LookupUnavailableError} if the source is unavailable and the key isn't cached.
   */
  async getFresh(key: string): Promise<V | undefined> {
    try {
      return await this.enqueue(key);
    } catch {
      return this.get(key);
    }
  }

  /** Removes a key, so it is no longer refreshed. */
  delete(key: string): void {
    this.entries.delete(key);
  }

  /** Refreshes all cached values. If the source fails, they remain unchanged. */
  async refresh(): Promise<void> {
    const keys = [...this.entries.keys()];
    if (keys.length === 0) return;
    const query = ++this.queryCount;
    try {
      const values = await this.load(keys);
      for (const key of keys) this.store(key, values.get(key), query);
    } catch {
      // Cached values remain valid. The source's own health check reports the outage.
    }
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Adds a key to the next query. A query that is already in flight may return a value from before this call. */
  private enqueue(key: string): Promise<V | undefined> {
    const pendingLookup = this.queuedKeys.get(key) ?? Promise.withResolvers<V | undefined>();
    this.queuedKeys.set(key, pendingLookup);
    if (this.inFlightKeys === null) void this.runQueries();
    return pendingLookup.promise;
  }

  private async runQueries(): Promise<void> {
    while (this.queuedKeys.size > 0) {
      const batch = this.queuedKeys;
      this.inFlightKeys = batch;
      this.queuedKeys = new Map();
      const query = ++this.queryCount;
      try {
        const values = await this.load([...batch.keys()]);
        for (const [key, pendingLookup] of batch) {
          this.store(key, values.get(key), query);
          pendingLookup.resolve(values.get(key));
        }
      } catch (error) {
        const unavailableError = new LookupUnavailableError("the lookup source isn't responding", { cause: error });
        for (const pendingLookup of batch.values()) pendingLookup.reject(unavailableError);
      }
    }
    this.inFlightKeys = null;
  }

  private store(key: string, value: V | undefined, query: number): void {
    // `peek` is used because a refresh doesn't count as a use of the entry.
    const entry = this.entries.peek(key);
    if (query < (entry?.query ?? this.absent.get(key) ?? 0)) return;
    if (value === undefined) {
      this.entries.delete(key);
      this.absent.set(key, query);
    } else if (entry) Object.assign(entry, { value, confirmedAt: performance.now(), query });
    else this.entries.set(key, { value, confirmedAt: performance.now(), query });
  }

  private async load(keys: string[]): Promise<Map<string, V>> {
    const { timeoutMs } = this.options;
    return pTimeout(this.options.load(keys), {
      milliseconds: timeoutMs,
      message: `no response within ${timeoutMs} ms`,
    });
  }
}
