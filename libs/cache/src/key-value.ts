import { LRUCache } from 'lru-cache';
import { atMost } from './at-most.js';
import type { RedisConnection } from './redis-connection.js';

/** Texts by name that outlive a process where there is a Redis. Whatever is kept here can be had elsewhere, too. */
export abstract class KeyValue {
  /** Whether other processes see what is kept. */
  abstract readonly isShared: boolean;
  /** @returns null when there is none. @throws RedisUnavailableError */
  abstract get(key: string): Promise<string | null>;
  /** @param ttlSeconds how long it is kept. @throws RedisUnavailableError */
  abstract set(key: string, value: string, ttlSeconds: number): Promise<void>;
  /**
   * Takes a name that only one may hold, until it is deleted or its time is over.
   * @returns false when somebody holds it. @throws RedisUnavailableError
   */
  abstract claim(key: string, ttlSeconds: number): Promise<boolean>;
  /** @throws RedisUnavailableError */
  abstract delete(key: string): Promise<void>;
}

/** Within one process. */
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

/** Shared by all processes. */
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
