/** Minimum time between attempts to refresh an entry. */
const RETRY_MS = 60_000;
const MAX_ENTRIES = 50;

interface Entry<Value> {
  value: Promise<Value>;
  staleAt: number;
}

/**
 * Stale-while-revalidate cache. Returns stale values while it refreshes them in the background. A failed refresh keeps
 * the old value.
 */
export class RefreshedCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(private readonly freshMs: number) {}

  /** @throws the error of `fetch` if nothing is cached. */
  async get(key: string, fetch: () => Promise<Value>): Promise<Value> {
    const entry = this.entries.get(key);
    if (entry === undefined) return this.first(key, fetch);
    if (performance.now() >= entry.staleAt) void this.refresh(entry, fetch);
    return entry.value;
  }

  private async first(key: string, fetch: () => Promise<Value>): Promise<Value> {
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
      // The stale value stays.
    }
  }
}
