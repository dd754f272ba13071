/** Maximum number of user agents to count individually, because logs can contain any number of fake ones. */
const MAX_DIFFERENT = 50_000;

interface UserAgentCount {
  /** Undefined for requests without a user agent. */
  userAgent: string | undefined;
  count: number;
}

/** Counts visits by user agent with bounded memory use. */
export class UserAgentCounts {
  private readonly counts = new Map<string | undefined, UserAgentCount>();
  /** Number of visits by user agents that aren't counted individually. */
  uncounted = 0;

  constructor(private readonly limit = MAX_DIFFERENT) {}

  add(userAgent: string | undefined): void {
    const existing = this.counts.get(userAgent);
    if (existing !== undefined) existing.count += 1;
    else if (this.counts.size < this.limit) {
      const copy = userAgent === undefined ? undefined : copyText(userAgent);
      this.counts.set(copy, { userAgent: copy, count: 1 });
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

/** Copies a string. Otherwise, V8 would retain the entire log chunk that the string was sliced from. */
const copyText = (text: string): string => decoder.decode(encoder.encode(text));

const encoder = new TextEncoder();
const decoder = new TextDecoder();
