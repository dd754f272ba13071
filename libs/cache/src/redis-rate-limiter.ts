import { Counter } from 'prom-client';
import {
  InMemoryRateLimiter,
  RateLimiter,
  toRateLimitState,
  type BucketKind,
  type RateLimit,
  type RateLimitState,
} from './rate-limiter.js';
import { RedisUnavailableError, type RedisConnection } from './redis-connection.js';

const requestsWithoutLimit = new Counter({
  name: 'agent_traffic_rate_limit_failed_open_total',
  help: 'Requests admitted without a rate limit because Redis was unavailable',
  labelNames: ['kind'],
});

/** Minimum time between log entries about requests admitted without a limit, in milliseconds. */
const REPORT_INTERVAL_MS = 60_000;

/**
 * Same algorithm as {@link InMemoryRateLimiter}, but uses Redis's clock. Levels are text to preserve their full
 * precision.
 */
const TAKE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local per_second, burst, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local bucket = redis.call('HMGET', KEYS[1], 'level', 'at')
local level = tonumber(bucket[1]) or burst
local at = tonumber(bucket[2]) or now
level = math.min(burst, level + math.max(0, now - at) / 1000 * per_second)
local allowed = (cost == 0 and level >= 1) or (cost > 0 and level > 0)
local left = allowed and level - cost or level
redis.call('HSET', KEYS[1], 'level', string.format('%.17g', left), 'at', string.format('%.17g', now))
redis.call('PEXPIRE', KEYS[1], math.ceil((burst - left) / per_second * 1000) + 1000)
return { allowed and 1 or 0, string.format('%.17g', left) }`;

/** Counts a request in a window. Returns the number of requests in it, and the milliseconds until it ends. */
const WINDOW_SCRIPT = `
local requests = redis.call('INCR', KEYS[1])
if requests == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { requests, redis.call('PTTL', KEYS[1]) }`;

/**
 * Rate limiter that all processes share. While Redis is unavailable, kinds that fail open are unlimited, so no visits
 * are lost. For other kinds, each process falls back to its own buckets.
 */
export class RedisRateLimiter extends RateLimiter {
  private readonly inMemoryLimiter = new InMemoryRateLimiter();

  private nextReportAt = 0;

  constructor(private readonly redis: RedisConnection) {
    super();
  }

  async take(kind: BucketKind, name: string, cost: number, limit: RateLimit): Promise<RateLimitState> {
    try {
      const [allowed, left] = (await this.redis.run((redis) =>
        redis.eval(TAKE_SCRIPT, 1, `rate:${kind.name}:${name}`, limit.perSecond, limit.burst, cost),
      )) as [number, string];
      return toRateLimitState(allowed === 1, Number(left), limit);
    } catch (error) {
      if (!(error instanceof RedisUnavailableError)) throw error;
      if (!kind.failsOpen) return this.inMemoryLimiter.take(kind, name, cost, limit);
      requestsWithoutLimit.inc({ kind: kind.name });
      this.report(kind);
      return toRateLimitState(true, limit.burst, limit);
    }
  }

  async takeFromWindow(kind: string, name: string, limit: number, windowSeconds: number): Promise<number> {
    try {
      const [requests, remainingMs] = (await this.redis.run((redis) =>
        redis.eval(WINDOW_SCRIPT, 1, `window:${kind}:${name}`, windowSeconds * 1_000),
      )) as [number, number];
      return requests <= limit ? 0 : Math.max(1, Math.ceil(remainingMs / 1_000));
    } catch (error) {
      if (!(error instanceof RedisUnavailableError)) throw error;
      return this.inMemoryLimiter.takeFromWindow(kind, name, limit, windowSeconds);
    }
  }

  private report({ name: kind }: BucketKind): void {
    if (performance.now() < this.nextReportAt) return;
    this.nextReportAt = performance.now() + REPORT_INTERVAL_MS;
    this.redis.logger.warn({ kind }, 'a request was admitted without a rate limit because Redis did not respond');
  }
}
