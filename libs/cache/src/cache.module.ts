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
import { InMemoryKeyValue, KeyValue, RedisKeyValue } from './key-value.js';
import { InMemoryPubSub, PubSub } from './pub-sub.js';
import { InMemoryRateLimiter, RateLimiter } from './rate-limiter.js';
import { RedisConnection, type RedisAddress } from './redis-connection.js';
import { RedisPubSub } from './redis-pub-sub.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

const CONNECTION = Symbol('redis connection');

@Global()
@Module({})
export class CacheModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(CONNECTION) private readonly redis: RedisConnection | null,
    private readonly health: Health,
  ) {}

  /** @param redis address of Redis. Null (default) uses process memory. */
  static forRoot(redis: RedisAddress | null = null): DynamicModule {
    return {
      module: CacheModule,
      providers: redis === null ? inMemory() : onRedis(redis),
      exports: [PubSub, RateLimiter, KeyValue],
    };
  }

  async onModuleInit(): Promise<void> {
    const { redis } = this;
    if (redis === null) return;
    this.health.register('redis', () => redis.fault(), { critical: false });
    // Wait for the first connection attempt, so that the first requests can use Redis.
    await redis.tried;
  }

  onApplicationShutdown(): void {
    this.redis?.close();
  }
}

/** Returns the address from settings that were read with `redisSettings`, or null if none is set. */
export function redisAddress(settings: {
  REDIS_URL: string | undefined;
  REDIS_PASSWORD: string | undefined;
}): RedisAddress | null {
  const { REDIS_URL: url, REDIS_PASSWORD: password } = settings;
  if (url === undefined) return null;
  if (password === undefined) return { url };
  const whole = new URL(url);
  whole.password = encodeURIComponent(password);
  return { url: whole.href };
}

const inMemory = (): Provider[] => [
  { provide: CONNECTION, useValue: null },
  { provide: PubSub, useFactory: () => new InMemoryPubSub() },
  { provide: RateLimiter, useFactory: () => new InMemoryRateLimiter() },
  { provide: KeyValue, useFactory: () => new InMemoryKeyValue() },
];

const onRedis = (address: RedisAddress): Provider[] => [
  { provide: CONNECTION, inject: [LOGGER], useFactory: (logger: Logger) => new RedisConnection(address, logger) },
  { provide: PubSub, inject: [CONNECTION], useFactory: (redis: RedisConnection) => new RedisPubSub(redis) },
  { provide: RateLimiter, inject: [CONNECTION], useFactory: (redis: RedisConnection) => new RedisRateLimiter(redis) },
  { provide: KeyValue, inject: [CONNECTION], useFactory: (redis: RedisConnection) => new RedisKeyValue(redis) },
];
