import { ANY_AGENT, getLookupKeys, MAX_ROBOTS_BYTES, parseRecords } from './robots-file.js';

/** Longest delay that is returned, in seconds. Longer ones are mistakes. */
const MAX_DELAY_SECONDS = 86_400;

/** `Crawl-delay` lines of a robots.txt file. */
export interface CrawlDelays {
  /**
   * Returns the delay requested of an agent in seconds, or null if there is none. If its groups contain several, the
   * shortest applies.
   *
   * @param token The agent's product token, or {@link ANY_AGENT}.
   */
  find: (token: string) => number | null;
}

/**
 * Parses `Crawl-delay` lines. RFC 9309 doesn't define them, so an agent's groups are found as for rules: those that name
 * it or, if there are none, those for {@link ANY_AGENT}. A user-agent line after a delay starts a new group, as in
 * Python's `urllib.robotparser`.
 */
export function parseCrawlDelays(bytes: Uint8Array, maxBytes = MAX_ROBOTS_BYTES): CrawlDelays {
  const delays = new Map<string, number | null>();
  let group = createGroup();
  const endGroup = (): void => {
    for (const name of group.names) delays.set(name, shorter(delays.get(name) ?? null, group.seconds));
  };
  for (const { kind, value, startsGroup } of parseRecords(bytes, maxBytes)) {
    if (startsGroup || (kind === 'user-agent' && group.hasDelay)) {
      endGroup();
      group = createGroup();
    }
    if (kind === 'user-agent') group.names.push(...getLookupKeys(value));
    else if (kind === 'crawl-delay') {
      group.hasDelay = true;
      group.seconds = shorter(group.seconds, parseSeconds(value));
    }
  }
  endGroup();
  return {
    find: (token) => {
      const name = token.toLowerCase();
      return (delays.has(name) ? delays.get(name) : delays.get(ANY_AGENT)) ?? null;
    },
  };
}

interface Group {
  names: string[];
  /** Whether the group has a `Crawl-delay` line, valid or not. */
  hasDelay: boolean;
  seconds: number | null;
}

const createGroup = (): Group => ({ names: [], hasDelay: false, seconds: null });

function parseSeconds(value: string): number | null {
  const seconds = value === '' ? NaN : Number(value);
  return seconds > 0 && seconds <= MAX_DELAY_SECONDS ? seconds : null;
}

const shorter = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);
