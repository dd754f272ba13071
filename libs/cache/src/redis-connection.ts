import { createRequire } from 'node:module';
import type { Redis, RedisOptions } from 'ioredis';
import { Circuit, isFulfilledWithin, secret, serverUrl, type Logger } from '#libs/platform';
import { Counter, Gauge } from 'prom-client';

/** Settings of whatever process speaks to Redis: to be spread into a specification for `readEnvironment`. */
export const redisSettings = {
  REDIS_URL: serverUrl(
    'redis',
    'rediss',
  )({
    default: undefined,
    desc: 'Redis: redis://user@host:6379, or rediss:// for TLS; in memory without it',
  }),
  REDIS_PASSWORD: secret(1)({ default: undefined, desc: 'Password, where it is not in REDIS_URL' }),
};

export interface RedisAddress {
  /** redis://user:password@host:port/database */
  url: string;
}

/** Milliseconds for Redis to answer: what it does must never hold up a visit. */
const COMMAND_TIMEOUT_MS = 200;
/** Silence after which Redis counts as down. A shorter delay affects only the commands that it meets. */
const AWAY_AFTER_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
/** Milliseconds without any answer after which a connection is given up: the machine behind it may be gone. */
const SILENCE_TIMEOUT_MS = 2_000;
const MAX_RETRY_DELAY_MS = 2_000;

const connected = new Gauge({ name: 'agent_traffic_redis_connected', help: '1 while connected to Redis' });
const failures = new Counter({
  name: 'agent_traffic_redis_failures_total',
  help: 'Failed Redis commands',
});

/** Loaded with the first connection: a process without Redis needs nothing of it. */
const loadIoredis = (): Ioredis => createRequire(import.meta.url)('ioredis') as Ioredis;
type Ioredis = typeof import('ioredis');

export class RedisUnavailableError extends Error {
  override name = 'RedisUnavailableError';
}

class LateError extends Error {
  override name = 'LateError';
}

/** One connection for commands and one for subscriptions. While Redis is away, commands fail at once. */
export class RedisConnection {
  readonly commands: Redis;
  /** Subscribes again by itself after it was cut off. */
  readonly subscriber: Redis;
  /** Resolves once the first attempt to connect has come to its end, whatever that is. */
  readonly tried: Promise<void>;
  private readonly circuit = new Circuit();
  /** Start of the current silence or disconnect, by `performance.now()`; null while Redis responds. */
  private silentSince: number | null = null;
  /** Whether the log already reports Redis as down. */
  private isReported = false;

  /** @param commandTimeoutMs time within which Redis must respond to a command. */
  constructor(
    { url }: RedisAddress,
    readonly logger: Logger,
    private readonly commandTimeoutMs = COMMAND_TIMEOUT_MS,
  ) {
    const options: RedisOptions = {
      connectTimeout: CONNECT_TIMEOUT_MS,
      disconnectTimeout: COMMAND_TIMEOUT_MS,
      keepAlive: 10_000,
      // What was the primary is a replica now: the name leads to the new one.
      reconnectOnError: ({ message }) => message.startsWith('READONLY'),
      retryStrategy: (times) => Math.min(times * 100, MAX_RETRY_DELAY_MS),
    };
    const { Redis } = loadIoredis();
    this.commands = new Redis(url, {
      ...options,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      // For commands of its own, such as the check of a new connection.
      commandTimeout: SILENCE_TIMEOUT_MS,
    });
    // A subscription may be sent before the check is, which Redis then refuses: the connection would be given up.
    this.subscriber = new Redis(url, { ...options, maxRetriesPerRequest: null, enableReadyCheck: false });
    this.tried = new Promise((resolve) => {
      this.commands.once('ready', () => resolve()).once('close', () => resolve());
    });
    this.commands.on('ready', () => {
      connected.set(1);
      this.responded();
      logger.info('connected to Redis');
    });
    this.commands.on('close', () => {
      connected.set(0);
      // It sends nothing by which it would notice.
      if (this.subscriber.status === 'ready') this.subscriber.stream.destroy();
    });
    this.commands.on('error', (error) => this.missed(error));
    this.subscriber.on('error', (error) => logger.debug({ err: error }, 'Redis, subscriptions'));
  }

  /** Runs a command. @throws RedisUnavailableError within {@link COMMAND_TIMEOUT_MS}, and at once while Redis is known away. */
  async run<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    if (!this.circuit.admits()) throw new RedisUnavailableError('Redis is away');
    try {
      return await this.ask(command, this.commandTimeoutMs);
    } catch (error) {
      failures.inc();
      throw new RedisUnavailableError('Redis does not answer', { cause: error });
    }
  }

  /** Null when Redis answers. */
  async fault(): Promise<string | null> {
    try {
      await this.ask((redis) => redis.ping(), AWAY_AFTER_MS);
      return null;
    } catch {
      return 'Redis does not answer: visits have no rate limit, and what is new is looked up in the database';
    }
  }

  close(): void {
    this.subscriber.disconnect();
    this.commands.disconnect();
  }

  /** ioredis' own `commandTimeout` rejects responses that arrived while the event loop was busy. */
  private async ask<T>(command: (redis: Redis) => Promise<T>, timeoutMs: number): Promise<T> {
    const sentAt = performance.now();
    try {
      const response = command(this.commands);
      if (!(await isFulfilledWithin(response, timeoutMs))) throw new LateError(`no response within ${timeoutMs} ms`);
      this.responded();
      return await response;
    } catch (error) {
      this.missed(error as Error, sentAt);
      throw error;
    }
  }

  private responded(): void {
    this.circuit.succeeded();
    this.silentSince = null;
    this.isReported = false;
  }

  /** Stops asking and logs the reason once Redis counts as down, and closes a connection that stays silent. */
  private missed(error: Error, since = performance.now()): void {
    this.silentSince ??= since;
    const silenceMs = performance.now() - this.silentSince;
    if (error instanceof LateError && silenceMs < AWAY_AFTER_MS) return;
    this.circuit.failed();
    this.logger[this.isReported ? 'debug' : 'warn']({ reason: error.message }, 'Redis does not answer');
    this.isReported = true;
    if (this.commands.status === 'ready' && silenceMs >= SILENCE_TIMEOUT_MS) this.commands.stream.destroy();
  }
}
