import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import { Health, LOGGER, type Logger } from '#libs/platform';
import { InMemoryKeyValueStore, KeyValueStore, RedisKeyValueStore } from './key-value.js';
import { InMemoryPubSub, PubSub } from './pub-sub.js';
import { InMemoryRateLimiter, RateLimiter } from './rate-limiter.js';
import { RedisConnection, type RedisAddress } from './redis-connection.js';
import { RedisPubSub } from './redis-pub-sub.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

const REDIS_CONNECTION = Symbol('redis connection');

@Global()
@Module({})
export class CacheModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(REDIS_CONNECTION) private readonly redis: RedisConnection | null,
    private readonly health: Health,
  ) {}

  /** @param redis Address of the Redis server. Null (the default) uses in-process memory. */
  static forRoot(redis: RedisAddress | null = null): DynamicModule {
    return {
      module: CacheModule,
      providers: redis === null ? createInMemoryProviders() : createRedisProviders(redis),
      exports: [PubSub, RateLimiter, KeyValueStore],
    };
  }

  async onModuleInit(): Promise<void> {
    const { redis } = this;
    if (redis === null) return;
    this.health.register('redis', () => redis.getFault(), { critical: false });
    // Wait for the first connection attempt, so the first requests can use Redis.
    await redis.firstAttempt;
  }

  onApplicationShutdown(): void {
    this.redis?.close();
  }
}

/** Returns the address from settings that were read with `redisSettings`, or null if none is set. */
export function toRedisAddress(settings: {
  REDIS_URL: string | undefined;
  REDIS_PASSWORD: string | undefined;
}): RedisAddress | null {
  const { REDIS_URL: url, REDIS_PASSWORD: password } = settings;
  if (url === undefined) return null;
  if (password === undefined) return { url };
  const urlWithPassword = new URL(url);
  urlWithPassword.password = encodeURIComponent(password);
  return { url: urlWithPassword.href };
}

const createInMemoryProviders = (): Provider[] => [
  { provide: REDIS_CONNECTION, useValue: null },
  { provide: PubSub, useFactory: () => new InMemoryPubSub() },
  { provide: RateLimiter, useFactory: () => new InMemoryRateLimiter() },
  { provide: KeyValueStore, useFactory: () => new InMemoryKeyValueStore() },
];

const createRedisProviders = (address: RedisAddress): Provider[] => [
  { provide: REDIS_CONNECTION, inject: [LOGGER], useFactory: (logger: Logger) => new RedisConnection(address, logger) },
  { provide: PubSub, inject: [REDIS_CONNECTION], useFactory: (redis: RedisConnection) => new RedisPubSub(redis) },
  {
    provide: RateLimiter,
    inject: [REDIS_CONNECTION],
    useFactory: (redis: RedisConnection) => new RedisRateLimiter(redis),
  },
  {
    provide: KeyValueStore,
    inject: [REDIS_CONNECTION],
    useFactory: (redis: RedisConnection) => new RedisKeyValueStore(redis),
  },
];
