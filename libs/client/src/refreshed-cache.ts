/** Between two attempts to refresh what could not be refreshed. */
const RETRY_MS = 60_000;
/** Sites ask for few different ones. */
const MAX_ENTRIES = 50;

interface Entry<Value> {
  value: Promise<Value>;
  /** When it is refreshed at the next request. */
  staleAt: number;
}

/**
 * Remembers what was fetched. While it is fresh it is returned at once; later, too, but then it is fetched anew in the
 * background. What could not be fetched anew stays.
 */
export class RefreshedCache<Value> {
  private readonly entries = new Map<string, Entry<Value>>();

  constructor(private readonly freshMs: number) {}

  /** @throws what `fetch` throws, only as long as there is nothing to return. */
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
      // What there is stays.
    }
  }
}
