import { LRUCache } from 'lru-cache';
import type { DnsResult } from '#libs/agents';
import { createLruOptions, type KeyValueStore } from '#libs/cache';
import { MAX_TTL_SECONDS, type DnsReply } from './dns-lookup.js';

interface CachedAnswer {
  answer: DnsResult;
  /** Expiry time in milliseconds since the epoch. */
  until: number;
}

const MAX_ANSWERS = 10_000;
const FAULT_TTL_SECONDS = 30;

/**
 * Two-level cache for DNS answers: process memory and a store shared between processes. Failures are only cached in
 * memory. Errors from the shared store are ignored.
 */
export class DnsAnswerCache {
  private readonly memory = new LRUCache<string, CachedAnswer>(createLruOptions(MAX_ANSWERS));

  constructor(
    private readonly shared: KeyValueStore,
    private readonly now: () => number,
  ) {}

  getCached(key: string): DnsResult | undefined {
    const cached = this.memory.get(key);
    return cached !== undefined && cached.until > this.now() ? cached.answer : undefined;
  }

  /** Returns an answer that another process has cached. Never rejects. */
  async getShared(key: string): Promise<DnsResult | undefined> {
    const cached = parseCachedAnswer(await this.shared.get(key).catch(() => null));
    const now = this.now();
    // A valid entry never outlives the maximum TTL. A later expiry was written by a process whose clock is ahead, or by
    // another application.
    if (cached === null || cached.until <= now || cached.until > now + MAX_TTL_SECONDS * 1_000) return undefined;
    this.memory.set(key, cached);
    return cached.answer;
  }

  store(key: string, reply: DnsReply): DnsResult {
    const isFault = 'fault' in reply;
    const ttlSeconds = isFault ? FAULT_TTL_SECONDS : reply.ttlSeconds;
    const answer: DnsResult = isFault ? reply : { values: reply.values };
    const cached = { answer, until: this.now() + ttlSeconds * 1_000 };
    this.memory.set(key, cached);
    if (!isFault) this.shared.set(key, JSON.stringify(cached), ttlSeconds).catch(() => undefined);
    return answer;
  }
}

/** Parses a value written by {@link DnsAnswerCache.store}, possibly in another release. Returns null for any other value. */
function parseCachedAnswer(text: string | null): CachedAnswer | null {
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
