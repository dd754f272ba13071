import { LRUCache } from 'lru-cache';

export interface RateLimit {
  /** Number of units restored per second. */
  perSecond: number;
  /** Maximum number of units that can be used at once. */
  burst: number;
}

/** Kind of bucket, such as visits by project. */
export interface BucketKind {
  name: string;
  /**
   * Whether requests are allowed without a limit while Redis is unavailable. If false, each process applies its own
   * limit.
   */
  failsOpen: boolean;
}

export interface RateLimitState {
  allowed: boolean;
  remaining: number;
  /** Seconds until the bucket is full. */
  resetAfterSeconds: number;
  /** Seconds until a retry can succeed, or 0 if the request is allowed. */
  retryAfterSeconds: number;
}

/** Rate limiter with token buckets and fixed windows, each identified by its kind and name. */
export abstract class RateLimiter {
  /**
   * Takes `cost` units. A cost of 0 only checks that at least one unit is left.
   *
   * The cost is known only after the body is read. Therefore, a request is allowed if any units are left and may
   * overdraw the bucket. Further requests are rejected until the debt is repaid.
   */
  abstract take(kind: BucketKind, bucket: string, cost: number, limit: RateLimit): Promise<RateLimitState>;
  /**
   * Counts a request in a window, which starts with its first request. Exactly `limit` requests are allowed per window.
   * If Redis is unavailable, each process counts in its own memory.
   *
   * @returns Seconds until the window ends, or 0 if the request is allowed.
   */
  abstract takeFromWindow(kind: string, name: string, limit: number, windowSeconds: number): Promise<number>;
}

interface Window {
  requests: number;
  /** Time when the window ends, in milliseconds, according to the limiter's clock. */
  endsAt: number;
}

interface Bucket {
  level: number;
  /** Time of the last update in milliseconds, according to the limiter's clock. */
  updatedAt: number;
}

/** Maximum number of buckets per kind. */
const MAX_BUCKETS = 10_000;
/** Maximum number of windows per kind. */
const MAX_WINDOWS = 50_000;

/**
 * Rate limiter for a single process. Each kind has its own store, so a flood of one kind can't evict another's buckets.
 */
export class InMemoryRateLimiter extends RateLimiter {
  private readonly stores = new Map<string, LRUCache<string, Bucket>>();
  private readonly windows = new Map<string, LRUCache<string, Window>>();

  constructor(private readonly now: () => number = () => performance.now()) {
    super();
  }

  async take(kind: BucketKind, name: string, cost: number, { perSecond, burst }: RateLimit): Promise<RateLimitState> {
    const now = this.now();
    const buckets = this.getStore(kind);
    const bucket = buckets.get(name) ?? { level: burst, updatedAt: now };
    const level = Math.min(burst, bucket.level + (Math.max(0, now - bucket.updatedAt) / 1_000) * perSecond);
    const allowed = cost === 0 ? level >= 1 : level > 0;
    const remainingUnits = allowed ? level - cost : level;
    buckets.set(name, { level: remainingUnits, updatedAt: now });
    return toRateLimitState(allowed, remainingUnits, { perSecond, burst });
  }

  async takeFromWindow(kind: string, name: string, limit: number, windowSeconds: number): Promise<number> {
    const now = this.now();
    let windows = this.windows.get(kind);
    if (windows === undefined) this.windows.set(kind, (windows = new LRUCache({ max: MAX_WINDOWS })));
    const window = windows.get(name);
    if (window === undefined || window.endsAt <= now) {
      windows.set(name, { requests: 1, endsAt: now + windowSeconds * 1_000 });
      return 0;
    }
    window.requests += 1;
    return window.requests <= limit ? 0 : Math.ceil((window.endsAt - now) / 1_000);
  }

  private getStore({ name }: BucketKind): LRUCache<string, Bucket> {
    let store = this.stores.get(name);
    if (store === undefined) this.stores.set(name, (store = new LRUCache({ max: MAX_BUCKETS })));
    return store;
  }
}

export function toRateLimitState(
  allowed: boolean,
  remainingUnits: number,
  { perSecond, burst }: RateLimit,
): RateLimitState {
  return {
    allowed,
    remaining: Math.max(0, Math.floor(remainingUnits)),
    resetAfterSeconds: Math.ceil((burst - remainingUnits) / perSecond),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - remainingUnits) / perSecond)),
  };
}

const DOCS_BUCKETS: BucketKind = { name: 'requests-for-documents', failsOpen: false };
/** High enough for people who read quickly, because each page requests only a few documents. */
const DOCS_RATE_LIMIT: RateLimit = { burst: 120, perSecond: 2 };

const DASHBOARD_FILE_BUCKETS: BucketKind = { name: 'requests-for-dashboard-files', failsOpen: true };
/**
 * High enough for everyone in an office to open the dashboard at the same time. The first visit requests about 30
 * files.
 */
const DASHBOARD_FILES_RATE_LIMIT: RateLimit = { burst: 3_000, perSecond: 50 };

const createNetworkLimit =
  (kind: BucketKind, limit: RateLimit) =>
  (limiter: RateLimiter) =>
  async (network: string): Promise<number> =>
    (await limiter.take(kind, network, 1, limit)).retryAfterSeconds;

/**
 * Creates the rate limit for API documents by network. It returns the seconds to wait, or 0 if the request is allowed.
 */
export const createDocsLimit = createNetworkLimit(DOCS_BUCKETS, DOCS_RATE_LIMIT);

/**
 * Creates the rate limit for dashboard pages and files by network. It returns the seconds to wait, or 0 if the request
 * is allowed.
 */
export const createFilesLimit = createNetworkLimit(DASHBOARD_FILE_BUCKETS, DASHBOARD_FILES_RATE_LIMIT);
