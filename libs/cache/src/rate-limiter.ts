import { LRUCache } from 'lru-cache';

export interface RateLimit {
  /** Units that come back each second. */
  perSecond: number;
  /** Units that may be used at once. */
  burst: number;
}

export interface RateLimitState {
  allowed: boolean;
  /** Units left. */
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetAfter: number;
  /** Seconds until it is worth to try again; 0 when allowed. */
  retryAfter: number;
}

/** Token buckets by name. */
export abstract class RateLimiter {
  /**
   * Takes `cost` units. Cost is known only after the body was read, so a request is let in while a single unit
   * is left and may overdraw the bucket; the debt is paid back before the next one is let in.
   */
  abstract take(bucket: string, cost: number, limit: RateLimit): Promise<RateLimitState>;
}

interface Bucket {
  level: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Buckets of this process. */
export class InMemoryRateLimiter extends RateLimiter {
  private readonly buckets = new LRUCache<string, Bucket>({ max: 10_000 });

  constructor(private readonly now: () => number = Date.now) {
    super();
  }

  async take(name: string, cost: number, { perSecond, burst }: RateLimit): Promise<RateLimitState> {
    const now = this.now();
    const bucket = this.buckets.get(name) ?? { level: burst, at: now };
    const level = Math.min(burst, bucket.level + (Math.max(0, now - bucket.at) / 1_000) * perSecond);
    const allowed = cost === 0 ? level >= 1 : level > 0;
    const left = allowed ? level - cost : level;
    this.buckets.set(name, { level: left, at: now });
    return stateOf(allowed, left, { perSecond, burst });
  }
}

/** What a bucket's level means for whoever asked. */
export function stateOf(allowed: boolean, left: number, { perSecond, burst }: RateLimit): RateLimitState {
  return {
    allowed,
    remaining: Math.max(0, Math.floor(left)),
    resetAfter: Math.ceil((burst - left) / perSecond),
    retryAfter: allowed ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond)),
  };
}
