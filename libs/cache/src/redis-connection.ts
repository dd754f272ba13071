import { createRequire } from 'node:module';
import type { Redis, RedisOptions } from 'ioredis';
import { CircuitBreaker, isFulfilledWithin, secret, serverUrl, type Logger } from '#libs/platform';
import { Counter, Gauge } from 'prom-client';

/** Settings for all processes that connect to Redis. Spread them into a specification for `readEnvironment`. */
export const redisSettings = {
  REDIS_URL: serverUrl(
    'redis',
    'rediss',
  )({
    default: undefined,
    desc: 'Redis URL, such as redis://user@host:6379, or rediss:// for TLS. Default: in-process memory',
  }),
  REDIS_PASSWORD: secret(1)({ default: undefined, desc: 'Redis password, unless REDIS_URL contains it' }),
};

export interface RedisAddress {
  /** URL in the form `redis://user:password@host:port/database`. */
  url: string;
}

/** Time limit for a response from Redis, in milliseconds. Kept short because Redis must never delay a visit. */
const COMMAND_TIMEOUT_MS = 200;
/**
 * How long Redis can be unresponsive before it counts as down, in milliseconds. Shorter delays only affect commands in
 * flight.
 */
const OUTAGE_AFTER_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
/** How long a connection can be unresponsive before it is closed, in milliseconds. Its host may be gone. */
const SILENCE_TIMEOUT_MS = 2_000;
const MAX_RETRY_DELAY_MS = 2_000;

const connectedGauge = new Gauge({ name: 'agent_traffic_redis_connected', help: '1 while connected to Redis' });
const failedCommands = new Counter({
  name: 'agent_traffic_redis_failures_total',
  help: 'Failed Redis commands',
});

/** Loads ioredis on first use because processes without Redis don't need it. */
const loadIoredis = (): Ioredis => createRequire(import.meta.url)('ioredis') as Ioredis;
type Ioredis = typeof import('ioredis');

export class RedisUnavailableError extends Error {
  override name = 'RedisUnavailableError';
}

class TimeoutError extends Error {
  override name = 'LateError';
}

/** Redis connections, one for commands and one for subscriptions. While Redis is down, commands fail immediately. */
export class RedisConnection {
  readonly commands: Redis;
  /** Resubscribes automatically after reconnecting. */
  readonly subscriber: Redis;
  /** Resolves after the first connection attempt, whether or not it succeeds. */
  readonly firstAttempt: Promise<void>;
  private readonly circuit = new CircuitBreaker();
  /** When Redis stopped responding, as a `performance.now()` value. Null while it responds. */
  private silentSince: number | null = null;
  /** True if the current outage has been logged. */
  private isOutageLogged = false;

  /** @param commandTimeoutMs Time limit for the response to a command, in milliseconds. */
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
      // Applies to ioredis's own commands, such as the check of a new connection.
      commandTimeout: SILENCE_TIMEOUT_MS,
    });
    // Disables ioredis's check of new connections. Redis rejects the check if a subscription is sent first, and ioredis
    // then closes the connection.
    this.subscriber = new Redis(url, { ...options, maxRetriesPerRequest: null, enableReadyCheck: false });
    this.firstAttempt = new Promise((resolve) => {
      this.commands.once('ready', () => resolve()).once('close', () => resolve());
    });
    this.commands.on('ready', () => {
      connectedGauge.set(1);
      this.handleResponse();
      logger.info('connected to Redis');
    });
    this.commands.on('close', () => {
      connectedGauge.set(0);
      // The subscriber's connection has probably been lost, too. It doesn't notice that by itself because it sends
      // nothing, so force it to reconnect.
      if (this.subscriber.status === 'ready') this.subscriber.stream.destroy();
    });
    this.commands.on('error', (error) => this.handleFailure(error));
    this.subscriber.on('error', (error) => logger.debug({ err: error }, 'Redis subscription error'));
  }

  /**
   * Runs a command.
   *
   * @throws {RedisUnavailableError} after the command timeout, or immediately while Redis is down.
   */
  async run<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    if (!this.circuit.tryAcquire()) throw new RedisUnavailableError('Redis is unavailable');
    try {
      return await this.runWithTimeout(command, this.commandTimeoutMs);
    } catch (error) {
      failedCommands.inc();
      throw new RedisUnavailableError("Redis isn't responding", { cause: error });
    }
  }

  /** Returns the reason why Redis is unavailable, or null if it responds to a ping. */
  async getFault(): Promise<string | null> {
    try {
      await this.runWithTimeout((redis) => redis.ping(), OUTAGE_AFTER_MS);
      return null;
    } catch {
      return "Redis isn't responding. Visits have no rate limit, and changes are polled from the database";
    }
  }

  close(): void {
    this.subscriber.disconnect();
    this.commands.disconnect();
  }

  /**
   * Runs a command and rejects if there is no response in time. ioredis's own `commandTimeout` isn't used because it
   * would also reject responses that arrived in time while the event loop was busy.
   */
  private async runWithTimeout<T>(command: (redis: Redis) => Promise<T>, timeoutMs: number): Promise<T> {
    const sentAt = performance.now();
    try {
      const response = command(this.commands);
      if (!(await isFulfilledWithin(response, timeoutMs))) throw new TimeoutError(`no response within ${timeoutMs} ms`);
      this.handleResponse();
      return await response;
    } catch (error) {
      this.handleFailure(error as Error, sentAt);
      throw error;
    }
  }

  private handleResponse(): void {
    this.circuit.recordSuccess();
    this.silentSince = null;
    this.isOutageLogged = false;
  }

  /**
   * Handles a failed or late command. Once Redis counts as down, logs the reason and stops sending commands. Closes
   * connections that remain unresponsive.
   */
  private handleFailure(error: Error, since = performance.now()): void {
    this.silentSince ??= since;
    const silenceMs = performance.now() - this.silentSince;
    if (error instanceof TimeoutError && silenceMs < OUTAGE_AFTER_MS) return;
    this.circuit.recordFailure();
    this.logger[this.isOutageLogged ? 'debug' : 'warn']({ reason: error.message }, "Redis isn't responding");
    this.isOutageLogged = true;
    if (this.commands.status === 'ready' && silenceMs >= SILENCE_TIMEOUT_MS) this.commands.stream.destroy();
  }
}
