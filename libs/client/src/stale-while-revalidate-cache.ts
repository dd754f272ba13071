/** Minimum interval between refresh attempts for an entry. */
const RETRY_MS = 60_000;
const MAX_ENTRIES = 50;

interface Entry<Value> {
  value: Promise<Value>;
  staleAt: number;
}

/**
 * Stale-while-revalidate cache. Returns stale values while it refreshes them in the background. If a refresh fails, the
 * stale value is retained.
 */
export class StaleWhileRevalidateCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(private readonly freshMs: number) {}

  /** Returns the cached value, or calls `fetch` if there is none. Rejects only if that first fetch fails. */
  async get(key: string, fetch: () => Promise<Value>): Promise<Value> {
    const entry = this.entries.get(key);
    if (entry === undefined) return this.fetchFirst(key, fetch);
    if (performance.now() >= entry.staleAt) void this.refresh(entry, fetch);
    return entry.value;
  }

  private async fetchFirst(key: string, fetch: () => Promise<Value>): Promise<Value> {
    const entry = { value: fetch(), staleAt: performance.now() + this.freshMs };
    if (this.entries.size >= MAX_ENTRIES) this.entries.delete(this.entries.keys().next().value!);
    this.entries.set(key, entry);
    try {
      return await entry.value;
    } catch (error) {
      this.entries.delete(key);
      throw error;
    }
  }

  private async refresh(entry: Entry<Value>, fetch: () => Promise<Value>): Promise<void> {
    entry.staleAt = performance.now() + RETRY_MS;
    try {
      entry.value = Promise.resolve(await fetch());
      entry.staleAt = performance.now() + this.freshMs;
    } catch {
      // Continue to serve the stale value until the next attempt.
    }
  }
}
