import { PubSub } from './pub-sub.js';
import type { RedisConnection } from './redis-connection.js';

export class RedisPubSub extends PubSub {
  private readonly listeners = new Map<string, Set<(payload: string) => void>>();

  constructor(private readonly redis: RedisConnection) {
    super();
    redis.subscriber.on('message', (channel, payload) => {
      for (const listener of this.listeners.get(channel) ?? []) listener(payload);
    });
  }

  async publish(channel: string, payload: string): Promise<void> {
    await this.redis.run((redis) => redis.publish(channel, payload));
  }

  subscribe(channel: string, listener: (payload: string) => void): () => void {
    const listeners = this.listeners.get(channel) ?? new Set();
    if (listeners.size === 0) this.ignoreFailure(this.redis.subscriber.subscribe(channel));
    this.listeners.set(channel, listeners.add(listener));
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return;
      this.listeners.delete(channel);
      this.ignoreFailure(this.redis.subscriber.unsubscribe(channel));
    };
  }

  /** ioredis sends the command once Redis is available. It fails only if the connection is permanently closed. */
  private ignoreFailure(subscription: Promise<unknown>): void {
    subscription.catch(() => undefined);
  }
}
