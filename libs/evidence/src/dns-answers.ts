import { LRUCache } from 'lru-cache';
import type { DnsAnswer } from '#libs/agents';
import { atMost, type KeyValue } from '#libs/cache';
import { MAX_TTL_SECONDS, type DnsReply } from './dns-lookup.js';

interface Kept {
  answer: DnsAnswer;
  /** Milliseconds since the epoch. */
  until: number;
}

const MAX_ANSWERS = 10_000;
const FAULT_TTL_SECONDS = 30;

/**
 * Two-level cache of DNS answers: process memory, and a store shared between processes. Failures are only kept in
 * memory. Errors of the shared store are ignored.
 */
export class DnsAnswers {
  private readonly memory = new LRUCache<string, Kept>(atMost(MAX_ANSWERS));

  constructor(
    private readonly shared: KeyValue,
    private readonly now: () => number,
  ) {}

  getCached(key: string): DnsAnswer | undefined {
    const kept = this.memory.get(key);
    return kept !== undefined && kept.until > this.now() ? kept.answer : undefined;
  }

  /** Returns an answer cached by another process. Never rejects. */
  async fromOthers(key: string): Promise<DnsAnswer | undefined> {
    const kept = keptOf(await this.shared.get(key).catch(() => null));
    const now = this.now();
    // An expiry beyond the maximum TTL comes from a clock that is ahead, or isn't ours.
    if (kept === null || kept.until <= now || kept.until > now + MAX_TTL_SECONDS * 1_000) return undefined;
    this.memory.set(key, kept);
    return kept.answer;
  }

  keep(key: string, reply: DnsReply): DnsAnswer {
    const isFault = 'fault' in reply;
    const ttlSeconds = isFault ? FAULT_TTL_SECONDS : reply.ttlSeconds;
    const answer: DnsAnswer = isFault ? reply : { values: reply.values };
    const kept = { answer, until: this.now() + ttlSeconds * 1_000 };
    this.memory.set(key, kept);
    if (!isFault) this.shared.set(key, JSON.stringify(kept), ttlSeconds).catch(() => undefined);
    return answer;
  }
}

/** Parses a value that {@link DnsAnswers.keep} wrote, possibly in another release. Returns null for anything else. */
function keptOf(text: string | null): Kept | null {
  if (text === null) return null;
  try {
    const { answer, until } = JSON.parse(text) as { answer?: { values?: unknown }; until?: unknown };
    const values: unknown = answer?.values;
    if (!Array.isArray(values) || typeof until !== 'number') return null;
    return values.every((value) => typeof value === 'string') ? { answer: { values }, until } : null;
  } catch {
    return null;
  }
}
