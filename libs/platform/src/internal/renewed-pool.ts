import { promises as dns, type LookupAddress } from 'node:dns';
import { createRequire } from 'node:module';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type { Pool } from 'undici';

interface RenewedPoolOptions {
  /** Milliseconds for which connections are used. */
  renewAfterMs: number;
  /** At once, at most. */
  connections: number;
  /** Milliseconds to connect. */
  connectTimeoutMs: number;
  resolve?: Resolve | undefined;
}

/** @returns all addresses of a host name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Connections to the replicas behind an address, replaced as a whole when their time is over, so that a new replica
 * gets its share, and when they fail. What is under way on the old ones finishes. (undici's `clientTtl` does the
 * first only.)
 */
export class RenewedPool {
  private pool: Pool | null = null;
  private openedAt = 0;
  private readonly open: () => Pool;

  constructor(
    url: string,
    private readonly options: RenewedPoolOptions,
  ) {
    const { connections, connectTimeoutMs, resolve = resolveAll } = options;
    // It also makes Node ask for all addresses, and try the next one where nobody answers.
    const connect = { timeout: connectTimeoutMs, lookup: anyOf(resolve), autoSelectFamily: true };
    this.open = () => new (loadUndici().Pool)(url, { connections, connect });
  }

  /** To be used at once. */
  current(): Pool {
    if (this.pool === null || performance.now() - this.openedAt > this.options.renewAfterMs) this.replace();
    return this.pool!;
  }

  /** New connections instead of those that failed. */
  insteadOf(failed: Pool): Pool {
    if (failed === this.pool) this.replace();
    return this.current();
  }

  /** Resolves once what is under way has finished. */
  async close(): Promise<void> {
    await this.pool?.close();
  }

  private replace(): void {
    void this.pool?.close();
    this.pool = this.open();
    this.openedAt = performance.now();
  }
}

/** Returns undici, loaded with the first call: a process that asks no other service needs nothing of it. */
export const loadUndici = (): Undici => createRequire(import.meta.url)('undici') as Undici;
type Undici = typeof import('undici');

const resolveAll: Resolve = (hostname) => dns.lookup(hostname, { all: true });

/** Any of the addresses first: by itself the system sorts them, and one replica would get all connections. */
const anyOf = (resolve: Resolve): LookupFunction =>
  callbackify(async (hostname: string) => {
    const addresses = await resolve(hostname);
    const first = Math.floor(Math.random() * addresses.length);
    return [...addresses.slice(first), ...addresses.slice(0, first)];
  }) as unknown as LookupFunction;
