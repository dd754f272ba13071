import { Redis, type RedisOptions } from 'ioredis';
import { Circuit, secret, str, type Logger } from '#libs/platform';
import { Counter, Gauge } from 'prom-client';

/** Settings of whatever process speaks to Redis: to be spread into a specification for `readEnvironment`. */
export const redisSettings = {
  REDIS_URL: str({ default: undefined, desc: 'Redis: redis://host:6379, or rediss:// for TLS; else in memory' }),
  REDIS_PASSWORD: secret(1)({ default: undefined, desc: 'Password, where it is not in REDIS_URL' }),
};

export interface RedisAddress {
  /** redis://user:password@host:port/database */
  url: string;
  password?: string | undefined;
}

/** Milliseconds for Redis to answer: what it does must never hold up a visit. */
const PATIENCE = 200;
const CONNECT_TIMEOUT = 2_000;
const LONGEST_RETRY_DELAY = 2_000;

const connected = new Gauge({ name: 'agent_traffic_redis_connected', help: '1 while Redis answers' });
const failures = new Counter({
  name: 'agent_traffic_redis_failures_total',
  help: 'Commands that Redis did not answer',
});

export class RedisUnavailableError extends Error {
  override name = 'RedisUnavailableError';
}

/** One connection for commands and one for subscriptions. While Redis is away, commands fail at once. */
export class RedisConnection {
  readonly commands: Redis;
  /** Subscribes again by itself after it was cut off. */
  readonly subscriber: Redis;
  private readonly circuit = new Circuit();

  constructor(
    { url, password }: RedisAddress,
    private readonly logger: Logger,
  ) {
    const options: RedisOptions = {
      connectTimeout: CONNECT_TIMEOUT,
      keepAlive: 10_000,
      retryStrategy: (times) => Math.min(times * 100, LONGEST_RETRY_DELAY),
      ...(password !== undefined && { password }),
    };
    this.commands = new Redis(url, {
      ...options,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: PATIENCE,
    });
    this.subscriber = new Redis(url, { ...options, maxRetriesPerRequest: null });
    this.commands.on('ready', () => {
      connected.set(1);
      this.circuit.succeeded();
      logger.info('connected to Redis');
    });
    this.commands.on('close', () => connected.set(0));
    // Every attempt to connect says why it failed; that Redis is away is in /readyz.
    for (const client of [this.commands, this.subscriber]) {
      client.on('error', (error) => logger.debug({ err: error }, 'Redis'));
    }
  }

  /** Runs a command. @throws RedisUnavailableError within {@link PATIENCE}, and at once while Redis is known away. */
  async run<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    if (!this.circuit.admits()) throw new RedisUnavailableError('Redis is away');
    try {
      const result = await command(this.commands);
      this.circuit.succeeded();
      return result;
    } catch (error) {
      if (!this.circuit.isOpen) this.logger.warn({ reason: (error as Error).message }, 'Redis does not answer');
      this.circuit.failed();
      failures.inc();
      throw new RedisUnavailableError('Redis does not answer', { cause: error });
    }
  }

  /** Null when Redis answers. */
  async fault(): Promise<string | null> {
    try {
      await this.commands.ping();
      return null;
    } catch {
      return 'Redis does not answer: rate limits are off, and what is new is looked up in the database';
    }
  }

  close(): void {
    this.commands.disconnect();
    this.subscriber.disconnect();
  }
}
