import { LRUCache } from 'lru-cache';

export interface RateLimit {
  /** Units that come back each second. */
  perSecond: number;
  /** Units that may be used at once. */
  burst: number;
}

/** What is counted in buckets of one kind, such as visits of projects. */
export interface BucketKind {
  name: string;
  /** Whether everybody is let in while Redis is away. Else each process counts for itself. */
  failsOpen: boolean;
}

export interface RateLimitState {
  allowed: boolean;
  /** Units left. */
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetAfterSeconds: number;
  /** Seconds until it is worth to try again; 0 when allowed. */
  retryAfterSeconds: number;
}

/** Token buckets by kind and name. */
export abstract class RateLimiter {
  /**
   * Takes `cost` units. Cost is known only after the body was read, so a request is let in while a single unit
   * is left and may overdraw the bucket; the debt is paid back before the next one is let in.
   */
  abstract take(kind: BucketKind, bucket: string, cost: number, limit: RateLimit): Promise<RateLimitState>;
}

interface Bucket {
  level: number;
  /** By the limiter's clock, in milliseconds. */
  at: number;
}

/** Of each kind. */
const MAX_BUCKETS = 10_000;

/** Buckets of this process. Each kind has a store of its own: a flood of one kind evicts none of another. */
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

/** What a bucket's level means for the caller. */
export function stateOf(allowed: boolean, left: number, { perSecond, burst }: RateLimit): RateLimitState {
  return {
    allowed,
    remaining: Math.max(0, Math.floor(left)),
    resetAfterSeconds: Math.ceil((burst - left) / perSecond),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond)),
  };
}

const DOCS: BucketKind = { name: 'requests-for-documents', failsOpen: false };
/** Enough for a page with all its parts every second. */
const DOCS_LIMIT: RateLimit = { burst: 120, perSecond: 2 };

const FILES: BucketKind = { name: 'requests-for-dashboard-files', failsOpen: true };
/** Enough for an office that opens the dashboard at the same time: a first load takes about 30 files. */
const FILES_LIMIT: RateLimit = { burst: 3_000, perSecond: 50 };

const limitOf =
  (kind: BucketKind, limit: RateLimit) =>
  (limiter: RateLimiter) =>
  async (network: string): Promise<number> =>
    (await limiter.take(kind, network, 1, limit)).retryAfterSeconds;

/** Returns the limit on requests for the documents of the interfaces, by network. */
export const docsLimit = limitOf(DOCS, DOCS_LIMIT);

/** Returns the limit on requests for the files and the page of the dashboard, by network. */
export const filesLimit = limitOf(FILES, FILES_LIMIT);
