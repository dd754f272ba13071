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
/** Seconds for which nobody asks again what could not be answered. */
const FAULT_TTL_SECONDS = 30;

/**
 * Answers of the DNS in the memory of the process and, faults aside, in what the processes share. Without the latter
 * they are asked for once more; that is never worth an error.
 */
export class DnsAnswers {
  private readonly memory = new LRUCache<string, Kept>(atMost(MAX_ANSWERS));

  constructor(
    private readonly shared: KeyValue,
    private readonly now: () => number,
  ) {}

  /** What is in memory. */
  getCached(key: string): DnsAnswer | undefined {
    const kept = this.memory.get(key);
    return kept !== undefined && kept.until > this.now() ? kept.answer : undefined;
  }

  /** What another process may have found out; never rejects. */
  async fromOthers(key: string): Promise<DnsAnswer | undefined> {
    const kept = keptOf(await this.shared.get(key).catch(() => null));
    const now = this.now();
    // No answer holds for longer: what says so was written by a clock that is ahead, or by somebody else.
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
    // Nobody waits for it.
    if (!isFault) this.shared.set(key, JSON.stringify(kept), ttlSeconds).catch(() => undefined);
    return answer;
  }
}

/** What {@link DnsAnswers.keep} wrote, perhaps in another release; null for anything else. */
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
