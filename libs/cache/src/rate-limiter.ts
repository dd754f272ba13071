import { LRUCache } from 'lru-cache';

export interface RateLimit {
  /** Units restored per second. */
  perSecond: number;
  /** Maximum units that can be used at once. */
  burst: number;
}

/** Kind of buckets, such as visits by project. */
export interface BucketKind {
  name: string;
  /**
   * Whether requests are admitted without a limit while Redis is unavailable. If not, each process applies the limit
   * itself.
   */
  failsOpen: boolean;
}

export interface RateLimitState {
  allowed: boolean;
  remaining: number;
  /** Seconds until the bucket is full. */
  resetAfterSeconds: number;
  /** Seconds until a retry can succeed, or 0 if allowed. */
  retryAfterSeconds: number;
}

/** Token-bucket rate limiter. Buckets are identified by kind and name. */
export abstract class RateLimiter {
  /**
   * Takes `cost` units. A cost of 0 only checks that at least one unit is left.
   *
   * The cost is known only after the body is read. So a request is allowed if any units are left, and may overdraw the
   * bucket. Further requests are rejected until the debt is repaid.
   */
  abstract take(kind: BucketKind, bucket: string, cost: number, limit: RateLimit): Promise<RateLimitState>;
}

interface Bucket {
  level: number;
  /** Time of the last update, in milliseconds on the limiter's clock. */
  at: number;
}

/** Maximum number of buckets per kind. */
const MAX_BUCKETS = 10_000;

/** Rate limiter for one process. Each kind has its own store, so a flood of one kind can't evict buckets of another. */
export class InMemoryRateLimiter extends RateLimiter {
  private readonly stores = new Map<string, LRUCache<string, Bucket>>();

  constructor(private readonly now: () => number = () => performance.now()) {
    super();
  }

  async take(kind: BucketKind, name: string, cost: number, { perSecond, burst }: RateLimit): Promise<RateLimitState> {
    const now = this.now();
    const buckets = this.storeOf(kind);
    const bucket = buckets.get(name) ?? { level: burst, at: now };
    const level = Math.min(burst, bucket.level + (Math.max(0, now - bucket.at) / 1_000) * perSecond);
    const allowed = cost === 0 ? level >= 1 : level > 0;
    const left = allowed ? level - cost : level;
    buckets.set(name, { level: left, at: now });
    return stateOf(allowed, left, { perSecond, burst });
  }

  private storeOf({ name }: BucketKind): LRUCache<string, Bucket> {
    let store = this.stores.get(name);
    if (store === undefined) this.stores.set(name, (store = new LRUCache({ max: MAX_BUCKETS })));
    return store;
  }
}

export function stateOf(allowed: boolean, left: number, { perSecond, burst }: RateLimit): RateLimitState {
  return {
    allowed,
    remaining: Math.max(0, Math.floor(left)),
    resetAfterSeconds: Math.ceil((burst - left) / perSecond),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond)),
  };
}

const DOCS: BucketKind = { name: 'requests-for-documents', failsOpen: false };
/** Allows loading a page with all its parts every second. */
const DOCS_LIMIT: RateLimit = { burst: 120, perSecond: 2 };

const FILES: BucketKind = { name: 'requests-for-dashboard-files', failsOpen: true };
/** Allows everyone in an office to open the dashboard at the same time. A first load requests about 30 files. */
const FILES_LIMIT: RateLimit = { burst: 3_000, perSecond: 50 };

const limitOf =
  (kind: BucketKind, limit: RateLimit) =>
  (limiter: RateLimiter) =>
  async (network: string): Promise<number> =>
    (await limiter.take(kind, network, 1, limit)).retryAfterSeconds;

/** Creates the rate limit on API documents, by network. It returns the seconds to wait, or 0 if allowed. */
export const docsLimit = limitOf(DOCS, DOCS_LIMIT);

/** Creates the rate limit on dashboard pages and files, by network. It returns the seconds to wait, or 0 if allowed. */
export const filesLimit = limitOf(FILES, FILES_LIMIT);
