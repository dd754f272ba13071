import { type DynamicModule, Global, Module } from '@nestjs/common';
import { InMemoryPubSub, PubSub } from './pub-sub.js';
import { InMemoryRateLimiter, RateLimiter } from './rate-limiter.js';

/** Binds {@link PubSub} and {@link RateLimiter} to their implementations. */
@Global()
@Module({})
export class CacheModule {
  static forRoot(): DynamicModule {
    return {
      module: CacheModule,
      providers: [
        { provide: PubSub, useFactory: () => new InMemoryPubSub() },
        { provide: RateLimiter, useFactory: () => new InMemoryRateLimiter() },
      ],
      exports: [PubSub, RateLimiter],
    };
  }
}
