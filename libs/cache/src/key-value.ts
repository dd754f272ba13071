import { LRUCache } from 'lru-cache';
import { createLruOptions } from './lru-options.js';
import type { RedisConnection } from './redis-connection.js';

/**
 * Key-value store for strings. With Redis, values are shared between processes and survive restarts. Values can still
 * be lost, so they must be recoverable from another source.
 */
export abstract class KeyValueStore {
  /** Whether other processes share the values. */
  abstract readonly isShared: boolean;
  /**
   * Returns a value, or null if the key doesn't exist.
   *
   * @throws {RedisUnavailableError} if Redis is unavailable.
   */
  abstract get(key: string): Promise<string | null>;
  /**
   * Stores a value.
   *
   * @param ttlSeconds Seconds until the value expires.
   * @throws {RedisUnavailableError} if Redis is unavailable.
   */
  abstract set(key: string, value: string, ttlSeconds: number): Promise<void>;
  /**
   * Claims a key, which only one caller can do until the claim expires or the key is deleted.
   *
   * @returns False if the key is already claimed.
   * @throws {RedisUnavailableError} if Redis is unavailable.
   */
  abstract claim(key: string, ttlSeconds: number): Promise<boolean>;
  /** @throws {RedisUnavailableError} if Redis is unavailable. */
  abstract delete(key: string): Promise<void>;
}

export class InMemoryKeyValueStore extends KeyValueStore {
  readonly isShared: boolean = false;
  private readonly values = new LRUCache<string, string>(createLruOptions(10_000));

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

export class RedisKeyValueStore extends KeyValueStore {
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
