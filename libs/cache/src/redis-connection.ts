import { createRequire } from 'node:module';
import type { Redis, RedisOptions } from 'ioredis';
import { Circuit, isFulfilledWithin, secret, serverUrl, type Logger } from '#libs/platform';
import { Counter, Gauge } from 'prom-client';

/** Settings of every process that connects to Redis. Spread them into a specification for `readEnvironment`. */
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
  /** `redis://user:password@host:port/database` */
  url: string;
}

/** Milliseconds for Redis to respond. Short, because Redis must never delay a visit. */
const COMMAND_TIMEOUT_MS = 200;
/** Milliseconds of silence until Redis counts as down. A shorter delay affects only the commands in flight. */
const AWAY_AFTER_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
/** Milliseconds of silence until a connection is closed, because its host may be gone. */
const SILENCE_TIMEOUT_MS = 2_000;
const MAX_RETRY_DELAY_MS = 2_000;

const connected = new Gauge({ name: 'agent_traffic_redis_connected', help: '1 while connected to Redis' });
const failures = new Counter({
  name: 'agent_traffic_redis_failures_total',
  help: 'Failed Redis commands',
});

/** Loads ioredis on first use, because processes without Redis don't need it. */
const loadIoredis = (): Ioredis => createRequire(import.meta.url)('ioredis') as Ioredis;
type Ioredis = typeof import('ioredis');

export class RedisUnavailableError extends Error {
  override name = 'RedisUnavailableError';
}

class LateError extends Error {
  override name = 'LateError';
}

/** Connections to Redis: one for commands and one for subscriptions. While Redis is down, commands fail immediately. */
export class RedisConnection {
  readonly commands: Redis;
  /** Resubscribes automatically after a reconnect. */
  readonly subscriber: Redis;
  /** Resolves after the first connection attempt, whether or not it succeeds. */
  readonly tried: Promise<void>;
  private readonly circuit = new Circuit();
  /** Start of the current silence or disconnect, on the `performance.now()` clock. Null while Redis responds. */
  private silentSince: number | null = null;
  /** Whether the log already reports Redis as down. */
  private isReported = false;

  /** @param commandTimeoutMs milliseconds for Redis to respond to a command. */
  constructor(
    { url }: RedisAddress,
    readonly logger: Logger,
    private readonly commandTimeoutMs = COMMAND_TIMEOUT_MS,
  ) {
    const options: RedisOptions = {
      connectTimeout: CONNECT_TIMEOUT_MS,
      disconnectTimeout: COMMAND_TIMEOUT_MS,
      keepAlive: 10_000,
      // After a failover, the former primary is read-only. Reconnecting resolves the host name to the new primary.
      reconnectOnError: ({ message }) => message.startsWith('READONLY'),
      retryStrategy: (times) => Math.min(times * 100, MAX_RETRY_DELAY_MS),
    };
    const { Redis } = loadIoredis();
    this.commands = new Redis(url, {
      ...options,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      // For ioredis's own commands, such as the check of a new connection.
      commandTimeout: SILENCE_TIMEOUT_MS,
    });
    // Redis rejects the check if a subscription was sent before it, and ioredis would then close the connection.
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
      // The subscriber sends nothing, so it wouldn't notice a lost connection.
      if (this.subscriber.status === 'ready') this.subscriber.stream.destroy();
    });
    this.commands.on('error', (error) => this.missed(error));
    this.subscriber.on('error', (error) => logger.debug({ err: error }, 'Redis, subscriptions'));
  }

  /**
   * Runs a command.
   *
   * @throws RedisUnavailableError after the command timeout, or immediately while Redis is known to be down.
   */
  async run<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    if (!this.circuit.admits()) throw new RedisUnavailableError('Redis is away');
    try {
      return await this.ask(command, this.commandTimeoutMs);
    } catch (error) {
      failures.inc();
      throw new RedisUnavailableError('Redis does not answer', { cause: error });
    }
  }

  /** Returns why Redis isn't available, or null if it responds to a ping. */
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

  /**
   * Runs a command with a timeout. ioredis's own `commandTimeout` rejects responses that arrived while the event loop
   * was busy.
   */
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

  /**
   * Handles a failed or late command. Once Redis counts as down, logs the reason and stops sending commands. Closes a
   * connection that stays silent.
   */
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
