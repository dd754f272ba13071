/** Maximum number of user agents to count individually. A log can contain any number of fake ones. */
const MAX_DIFFERENT = 50_000;

interface UserAgentCount {
  /** Undefined for requests without a user agent. */
  userAgent: string | undefined;
  count: number;
}

/** Counts visits by user agent, in bounded memory. */
export class UserAgentCounts {
  private readonly counts = new Map<string | undefined, UserAgentCount>();
  /** Visits by user agents over the limit. */
  uncounted = 0;

  constructor(private readonly limit = MAX_DIFFERENT) {}

  add(userAgent: string | undefined): void {
    const known = this.counts.get(userAgent);
    if (known !== undefined) known.count += 1;
    else if (this.counts.size < this.limit) {
      const own = userAgent === undefined ? undefined : copied(userAgent);
      this.counts.set(own, { userAgent: own, count: 1 });
    } else this.uncounted += 1;
  }

  /** Returns the most frequent user agents, in descending order. */
  top(limit: number): UserAgentCount[] {
    return [...this.counts.values()].sort((a, b) => b.count - a.count).slice(0, limit);
  }

  get total(): number {
    return this.counts.values().reduce((sum, { count }) => sum + count, this.uncounted);
  }
}

/** Copies text. V8 would keep the entire log chunk in memory for a slice of it. */
const copied = (text: string): string => decoder.decode(encoder.encode(text));

const encoder = new TextEncoder();
const decoder = new TextDecoder();
