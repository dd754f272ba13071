/** Different user agents that are counted one by one; a log can hold any number of made-up ones. */
const MAX_DIFFERENT = 50_000;

export interface UserAgentCount {
  /** Undefined: the requests that had none. */
  userAgent: string | undefined;
  count: number;
}

/** Visits by user agent, in bounded memory. */
export class UserAgentCounts {
  private readonly counts = new Map<string | undefined, number>();
  /** Visits whose user agent came when there were too many already. */
  uncounted = 0;

  constructor(private readonly limit = MAX_DIFFERENT) {}

  add(userAgent: string | undefined): void {
    const known = this.counts.get(userAgent);
    if (known !== undefined || this.counts.size < this.limit) this.counts.set(userAgent, (known ?? 0) + 1);
    else this.uncounted += 1;
  }

  /** The most frequent first. */
  top(limit: number): UserAgentCount[] {
    return [...this.counts]
      .map(([userAgent, count]) => ({ userAgent, count }))
      .sort((a, b) => b.count - a.count)
      .slice(0, limit);
  }

  get total(): number {
    return this.counts.values().reduce((sum, value) => sum + value, this.uncounted);
  }
}
