import { LRUCache } from 'lru-cache';
import { atMost } from './at-most.js';
import type { RedisConnection } from './redis-connection.js';

/**
 * Key-value store for strings. With Redis, values are shared between processes and survive restarts. Every value must
 * also be recoverable from elsewhere.
 */
export abstract class KeyValue {
  /** Whether other processes share the values. */
  abstract readonly isShared: boolean;
  /**
   * Returns a value, or null if there is none.
   *
   * @throws RedisUnavailableError
   */
  abstract get(key: string): Promise<string | null>;
  /**
   * Stores a value.
   *
   * @param ttlSeconds seconds until it expires.
   * @throws RedisUnavailableError
   */
  abstract set(key: string, value: string, ttlSeconds: number): Promise<void>;
  /**
   * Claims a key that only one caller can hold, until it expires or is deleted.
   *
   * @returns false if it's already claimed.
   * @throws RedisUnavailableError
   */
  abstract claim(key: string, ttlSeconds: number): Promise<boolean>;
  /** @throws RedisUnavailableError */
  abstract delete(key: string): Promise<void>;
}

export class InMemoryKeyValue extends KeyValue {
  readonly isShared: boolean = false;
  private readonly values = new LRUCache<string, string>(atMost(10_000));

  async get(key: string): Promise<string | null> {
    return this.values.get(key) ?? null;
  }

  async set(key: string, value: string, ttlSeconds: number): Promise<void> {
    this.values.set(key, value, { ttl: ttlSeconds * 1_000 });
  }

  async claim(key: string, ttlSeconds: number): Promise<boolean> {
    if (this.values.has(key)) return false;
    this.values.set(key, '', { ttl: ttlSeconds * 1_000 });
    return true;
  }

  async delete(key: string): Promise<void> {
    this.values.delete(key);
  }
}

export class RedisKeyValue extends KeyValue {
  readonly isShared = true;

  constructor(private readonly redis: RedisConnection) {
    super();
  }

  async get(key: string): Promise<string | null> {
    return this.redis.run((redis) => redis.get(key));
  }

  async set(key: string, value: string, ttlSeconds: number): Promise<void> {
    await this.redis.run((redis) => redis.set(key, value, 'EX', ttlSeconds));
  }

  async claim(key: string, ttlSeconds: number): Promise<boolean> {
    return (await this.redis.run((redis) => redis.set(key, '', 'EX', ttlSeconds, 'NX'))) === 'OK';
  }

  async delete(key: string): Promise<void> {
    await this.redis.run((redis) => redis.del(key));
  }
}
