import { LRUCache } from 'lru-cache';
import pTimeout from 'p-timeout';
import { atMost } from './at-most.js';

interface LookupCacheOptions<V> {
  /** Asks the source for several keys at once; keys without a value are left out of the answer. */
  load(keys: string[]): Promise<Map<string, V>>;
  /** Milliseconds between refreshes of everything known: the longest that a change stays unseen. */
  refreshIntervalMs?: number;
  /** Milliseconds for which the last known answer holds while the source can't be asked. */
  holdForMs?: number;
  /** Milliseconds for the source to answer. */
  timeoutMs?: number;
  /** Entries at most; those least used go first. */
  max?: number;
}

/** The source can't be asked and the key was never seen. */
export class LookupUnavailableError extends Error {
  override name = 'LookupUnavailableError';
}

interface Entry<V> {
  value: V;
  /** When the source last confirmed it, by `performance.now()`. */
  confirmedAt: number;
  /** The query that it is from. */
  query: number;
}

/** Milliseconds for which "there is none" holds: short, so that a new key works at once. */
const ABSENT_TTL_MS = 1_000;

/**
 * Look-ups that don't wait: what was asked for once is kept fresh in the background, and survives an outage of
 * its source for a while. Keys that are not known yet gather while a query is under way, so that a flood of
 * unknown keys costs one query at a time.
 */
export class LookupCache<V extends {}> {
  private readonly known: LRUCache<string, Entry<V>>;
  private readonly absent = new LRUCache<string, number>({ ...atMost(10_000), ttl: ABSENT_TTL_MS });
  private wanted = new Map<string, PromiseWithResolvers<V | undefined>>();
  /** What the query under way asks for. */
  private asked: typeof this.wanted | null = null;
  /** Queries so far: an answer never replaces that of a later query, which may have overtaken it. */
  private queries = 0;
  private readonly timer: NodeJS.Timeout;
  private readonly options: Required<LookupCacheOptions<V>>;

  constructor(options: LookupCacheOptions<V>) {
    this.options = { refreshIntervalMs: 3_000, holdForMs: 3_600_000, timeoutMs: 1_500, max: 10_000, ...options };
    this.known = new LRUCache(atMost(this.options.max));
    this.timer = setInterval(() => void this.refresh(), this.options.refreshIntervalMs);
    this.timer.unref();
  }

  /** Returns the value when it is cached; undefined says nothing. */
  getCached(key: string): V | undefined {
    const entry = this.known.get(key);
    return entry && performance.now() - entry.confirmedAt <= this.options.holdForMs ? entry.value : undefined;
  }

  /**
   * @returns undefined when the source says that there is none.
   * @throws LookupUnavailableError when the source can't be asked and nothing is known.
   */
  async get(key: string): Promise<V | undefined> {
    const value = this.getCached(key);
    if (value !== undefined) return value;
    if (this.absent.has(key)) return undefined;
    const underWay = this.asked?.get(key);
    return underWay === undefined ? this.ask(key) : underWay.promise;
  }

  /**
   * Asks the source after this call, and takes what is known where it can't be asked.
   *
   * @throws LookupUnavailableError when nothing is known either.
   */
  async getFresh(key: string): Promise<V | undefined> {
    try {
      return await this.ask(key);
    } catch {
      return this.get(key);
    }
  }

  /** Forgets a key that nobody asks for any more. */
  forget(key: string): void {
    this.known.delete(key);
  }

  /** Asks again for everything known. A failure leaves it as it is. */
  async refresh(): Promise<void> {
    const keys = [...this.known.keys()];
    if (keys.length === 0) return;
    const query = ++this.queries;
    try {
      const values = await this.load(keys);
      for (const key of keys) this.keep(key, values.get(key), query);
    } catch {
      // The last known answers hold; the health check of the source reports that it is away.
    }
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** Asks by the next query: what one under way answers may be older than the call. */
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
    // A background refresh does not count as a use of the entry: its rank stays.
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
