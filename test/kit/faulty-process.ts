import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { connectionPool, createDataSource } from '#libs/database';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { ClickHouse } from '../../libs/visit-store/src/clickhouse/clickhouse.js';
import { openVisitStore } from './visit-store.js';

interface Faults {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random: () => number;
  /** Probability that a request fails. */
  probability: number;
}

type Send = <T>(request: () => Promise<T>) => Promise<T>;

/**
 * Moments at which a request can fail:
 *
 * - `before`: the server doesn't receive it.
 * - `after`: it takes effect, but the response is lost.
 * - `late`: the connection is lost, and the request takes effect later.
 */
const MOMENTS = ['before', 'after', 'late'] as const;
const MAX_DELAY_MS = 15;
const MAX_LATE_MS = 150;

/** A process with a visit store. Its requests to PostgreSQL and ClickHouse can fail, and it can die with any of them. */
export class FaultyProcess {
  isDead = false;
  private readonly lateRequests: Promise<unknown>[] = [];

  private constructor(
    readonly visitStore: INestApplicationContext,
    private readonly dataSource: DataSource,
    private readonly faults: Faults,
  ) {}

  static async start(databaseUrl: string, faults: Faults): Promise<FaultyProcess> {
    const dataSource = await createDataSource({ url: databaseUrl, poolSize: 3 }).initialize();
    const visitStore = await openVisitStore(dataSource);
    const process = new FaultyProcess(visitStore, dataSource, faults);
    const send: Send = (request) => process.send(request);
    interceptStatements(dataSource, send);
    const clickhouse = visitStore.get<ClickHouse | null>(ClickHouse);
    if (clickhouse !== null) interceptRequests(clickhouse, send);
    return process;
  }

  /** Waits for late requests, and disconnects. */
  async stop(): Promise<void> {
    this.isDead = true;
    await Promise.allSettled(this.lateRequests);
    await this.dataSource.destroy();
  }

  private async send<T>(request: () => Promise<T>): Promise<T> {
    const { random, probability } = this.faults;
    if (random() < 0.3) await sleep(random() * MAX_DELAY_MS);
    if (this.isDead) throw new Error('The process is dead');
    if (random() >= probability) return request();
    const moment = MOMENTS[Math.floor(random() * MOMENTS.length)]!;
    const isFatal = random() < 0.5;
    if (moment === 'after') await request();
    if (moment === 'late') this.lateRequests.push(sleep(random() * MAX_LATE_MS).then(request));
    this.isDead ||= isFatal;
    throw new Error(`Connection lost (${moment})`);
  }
}

function interceptStatements(dataSource: DataSource, send: Send): void {
  const intercepted = new WeakSet<PoolClient>();
  connectionPool(dataSource).on('acquire', (client: PoolClient) => {
    if (intercepted.has(client)) return;
    intercepted.add(client);
    const query = client.query.bind(client) as (...parameters: unknown[]) => Promise<unknown>;
    client.query = ((...parameters: unknown[]) => send(() => query(...parameters))) as typeof client.query;
  });
}

function interceptRequests(clickhouse: ClickHouse, send: Send): void {
  const [query, command] = [clickhouse.query.bind(clickhouse), clickhouse.command.bind(clickhouse)];
  clickhouse.query = (...parameters) => send(() => query(...parameters)) as Promise<never[]>;
  clickhouse.command = (...parameters) => send(() => command(...parameters));
}
