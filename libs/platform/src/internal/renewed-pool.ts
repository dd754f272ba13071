import { promises as dns, type LookupAddress } from 'node:dns';
import { createRequire } from 'node:module';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type { Pool } from 'undici';

interface RenewedPoolOptions {
  renewAfterMs: number;
  connections: number;
  connectTimeoutMs: number;
  resolve?: Resolve | undefined;
}

/** Returns all addresses of a host name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Connection pool that is replaced regularly, so new replicas receive their share of requests, and also after
 * connection errors. In-flight requests finish on the old pool. (undici's `clientTtl` doesn't replace a pool after
 * errors.)
 */
export class RenewedPool {
  private pool: Pool | null = null;
  private openedAt = 0;
  private readonly createPool: () => Pool;

  constructor(
    url: string,
    private readonly options: RenewedPoolOptions,
  ) {
    const { connections, connectTimeoutMs, resolve = resolveAll } = options;
    // `autoSelectFamily` also makes Node.js look up all addresses and try the next one if a connection fails.
    const connect = { timeout: connectTimeoutMs, lookup: createRotatingLookup(resolve), autoSelectFamily: true };
    this.createPool = () => new (loadUndici().Pool)(url, { connections, connect });
  }

  /** Returns the current pool. Use it immediately because it can be replaced at any time. */
  current(): Pool {
    if (this.pool === null || performance.now() - this.openedAt > this.options.renewAfterMs) this.replace();
    return this.pool!;
  }

  /** Returns another pool after a connection error. Several errors from the same pool replace it only once. */
  replaceFailed(failed: Pool): Pool {
    if (failed === this.pool) this.replace();
    return this.current();
  }

  /** Resolves when all in-flight requests have finished. */
  async close(): Promise<void> {
    await this.pool?.close();
  }

  private replace(): void {
    void this.pool?.close();
    this.pool = this.createPool();
    this.openedAt = performance.now();
  }
}

/** Loads undici on first use because processes that call no other services don't need it. */
export const loadUndici = (): Undici => createRequire(import.meta.url)('undici') as Undici;
type Undici = typeof import('undici');

const resolveAll: Resolve = (hostname) => dns.lookup(hostname, { all: true });

/** Rotates the addresses randomly. The system sorts them, so otherwise the first replica would get all connections. */
const createRotatingLookup = (resolve: Resolve): LookupFunction =>
  callbackify(async (hostname: string) => {
    const addresses = await resolve(hostname);
    const first = Math.floor(Math.random() * addresses.length);
    return [...addresses.slice(first), ...addresses.slice(0, first)];
  }) as unknown as LookupFunction;
