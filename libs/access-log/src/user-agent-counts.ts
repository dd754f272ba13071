/** Different user agents that are counted one by one; a log can hold any number of made-up ones. */
const MAX_DIFFERENT = 50_000;

interface UserAgentCount {
  /** Undefined: the requests that had none. */
  userAgent: string | undefined;
  count: number;
}

/** Visits by user agent, in bounded memory. */
export class UserAgentCounts {
  private readonly counts = new Map<string | undefined, UserAgentCount>();
  /** Visits whose user agent came when there were too many already. */
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

  /** The most frequent first. */
  top(limit: number): UserAgentCount[] {
    return [...this.counts.values()].sort((a, b) => b.count - a.count).slice(0, limit);
  }

  get total(): number {
    return this.counts.values().reduce((sum, { count }) => sum + count, this.uncounted);
  }
}

/** The same text, without the part of the log that V8 keeps for as long as a slice of it lives. */
const copied = (text: string): string => decoder.decode(encoder.encode(text));

const encoder = new TextEncoder();
const decoder = new TextDecoder();
