import { LRUCache } from 'lru-cache';
import pTimeout from 'p-timeout';
import { atMost } from './at-most.js';

interface LookupCacheOptions<V> {
  /** Loads several keys from the source. The result omits keys without a value. */
  load(keys: string[]): Promise<Map<string, V>>;
  /** Milliseconds between refreshes of all cached values. Changes are noticed within this time. */
  refreshIntervalMs?: number;
  /** Milliseconds for which cached values stay valid while the source is unavailable. */
  holdForMs?: number;
  /** Milliseconds for the source to respond. */
  timeoutMs?: number;
  /** Maximum number of entries. The least recently used ones are evicted first. */
  max?: number;
}

/** Thrown if the source is unavailable and the key isn't cached. */
export class LookupUnavailableError extends Error {
  override name = 'LookupUnavailableError';
}

interface Entry<V> {
  value: V;
  /** Time at which the source last confirmed the value, on the `performance.now()` clock. */
  confirmedAt: number;
  /** Number of the query that returned the value. */
  query: number;
}

/** Milliseconds for which a missing key is cached. Short, so that new keys work almost immediately. */
const ABSENT_TTL_MS = 1_000;

/**
 * Cache for lookups from a slow or unreliable source. Refreshes cached values in the background and keeps them through
 * outages of the source.
 *
 * Keys requested while a query is in flight share the next query, so a flood of unknown keys causes only one query at a
 * time.
 */
export class LookupCache<V extends {}> {
  private readonly known: LRUCache<string, Entry<V>>;
  private readonly absent = new LRUCache<string, number>({ ...atMost(10_000), ttl: ABSENT_TTL_MS });
  private wanted = new Map<string, PromiseWithResolvers<V | undefined>>();
  /** Keys of the query in flight. */
  private asked: typeof this.wanted | null = null;
  /** Number of queries started. Results never replace those of a later query, which may have overtaken them. */
  private queries = 0;
  private readonly timer: NodeJS.Timeout;
  private readonly options: Required<LookupCacheOptions<V>>;

  constructor(options: LookupCacheOptions<V>) {
    this.options = { refreshIntervalMs: 3_000, holdForMs: 3_600_000, timeoutMs: 1_500, max: 10_000, ...options };
    this.known = new LRUCache(atMost(this.options.max));
    this.timer = setInterval(() => void this.refresh(), this.options.refreshIntervalMs);
    this.timer.unref();
  }

  /** Returns the cached value. Undefined means that it isn't cached, not that there is none. */
  getCached(key: string): V | undefined {
    const entry = this.known.get(key);
    return entry && performance.now() - entry.confirmedAt <= this.options.holdForMs ? entry.value : undefined;
  }

  /**
   * Returns the value from the cache or the source, or undefined if the source has none.
   *
   * @throws LookupUnavailableError if the source is unavailable and the key isn't cached.
   */
  async get(key: string): Promise<V | undefined> {
    const value = this.getCached(key);
    if (value !== undefined) return value;
    if (this.absent.has(key)) return undefined;
    const underWay = this.asked?.get(key);
    return underWay === undefined ? this.ask(key) : underWay.promise;
  }

  /**
   * Returns the current value from the source, or the cached value if the source is unavailable.
   *
   * @throws LookupUnavailableError if the source is unavailable and the key isn't cached.
   */
  async getFresh(key: string): Promise<V | undefined> {
    try {
      return await this.ask(key);
    } catch {
      return this.get(key);
    }
  }

  /** Removes a key, so it's no longer refreshed. */
  forget(key: string): void {
    this.known.delete(key);
  }

  /** Refreshes all cached values. If the source fails, they stay unchanged. */
  async refresh(): Promise<void> {
    const keys = [...this.known.keys()];
    if (keys.length === 0) return;
    const query = ++this.queries;
    try {
      const values = await this.load(keys);
      for (const key of keys) this.keep(key, values.get(key), query);
    } catch {
      // Cached values stay valid. The source's own health check reports the outage.
    }
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Requests a key in the next query. A query in flight may return a value from before this call. */
  private ask(key: string): Promise<V | undefined> {
    const waiting = this.wanted.get(key) ?? Promise.withResolvers<V | undefined>();
    this.wanted.set(key, waiting);
    if (this.asked === null) void this.askForWanted();
    return waiting.promise;
  }

  private async askForWanted(): Promise<void> {
    while (this.wanted.size > 0) {
      const wanted = this.wanted;
      this.asked = wanted;
      this.wanted = new Map();
      const query = ++this.queries;
      try {
        const values = await this.load([...wanted.keys()]);
        for (const [key, waiting] of wanted) {
          this.keep(key, values.get(key), query);
          waiting.resolve(values.get(key));
        }
      } catch (error) {
        const unavailable = new LookupUnavailableError('the source of a look-up does not answer', { cause: error });
        for (const waiting of wanted.values()) waiting.reject(unavailable);
      }
    }
    this.asked = null;
  }

  private keep(key: string, value: V | undefined, query: number): void {
    // `peek`, because a refresh doesn't count as a use of the entry.
    const entry = this.known.peek(key);
    if (query < (entry?.query ?? this.absent.get(key) ?? 0)) return;
    if (value === undefined) {
      this.known.delete(key);
      this.absent.set(key, query);
    } else if (entry) Object.assign(entry, { value, confirmedAt: performance.now(), query });
    else this.known.set(key, { value, confirmedAt: performance.now(), query });
  }

  private async load(keys: string[]): Promise<Map<string, V>> {
    const { timeoutMs } = this.options;
    return pTimeout(this.options.load(keys), { milliseconds: timeoutMs, message: `no answer in ${timeoutMs} ms` });
  }
}
