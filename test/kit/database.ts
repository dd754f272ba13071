import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { firstIdAt } from '#libs/contracts';
import { createDataSource, migrate } from '#libs/database';
import { EmbeddedPostgres } from '../../apps/standalone/src/postgres/embedded-postgres.js';
import { temporaryFolder } from './instance.js';

export interface TestDatabase {
  url: string;
  /** Connected and migrated. */
  dataSource: DataSource;
  /** Drops the database. */
  stop(): Promise<void>;
}

interface Server {
  url: string;
  stop(): Promise<void>;
}

let server: Promise<Server> | null = null;
let databases = 0;

/**
 * A new, migrated database on a server that all databases of a test file share: the one of `TEST_DATABASE_URL`,
 * else an embedded one that ends with the last of them.
 */
export async function startTestDatabase(): Promise<TestDatabase> {
  server ??= startServer();
  databases += 1;
  const { url: serverUrl } = await server;
  const name = `agent_traffic_test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const dataSource = await createDataSource({ url: url.href, poolSize: 5 }).initialize();
  await migrate(dataSource);
  return { url: url.href, dataSource, stop: () => dispose(dataSource, name) };
}

async function dispose(dataSource: DataSource, name: string): Promise<void> {
  await refuseUnlessTest(dataSource);
  if (dataSource.isInitialized) await dataSource.destroy();
  const current = (await server)!;
  await onServer(current.url, `DROP DATABASE ${name} WITH (FORCE)`);
  databases -= 1;
  if (databases > 0) return;
  server = null;
  await current.stop();
}

/** Asks the server, not our own notes: what is destroyed must say that it is a test's. */
export async function refuseUnlessTest(dataSource: DataSource): Promise<void> {
  const [{ name }] = (await dataSource.query('SELECT current_database() AS name')) as [{ name: string }];
  if (!name.includes('test')) throw new Error(`${name} is not the database of a test`);
}

/** Makes the partitions of these days (any time within a day). */
export async function makePartitions(dataSource: DataSource, ...times: number[]): Promise<void> {
  const day = 86_400_000;
  for (const start of new Set(times.map((time) => Math.floor(time / day) * day))) {
    const name = `visits_${new Date(start).toISOString().slice(0, 10).replaceAll('-', '')}`;
    await dataSource.query(
      `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF visits
       FOR VALUES FROM ('${firstIdAt(start)}') TO ('${firstIdAt(start + day)}')`,
    );
  }
}

async function startServer(): Promise<Server> {
  const url = process.env['TEST_DATABASE_URL'];
  if (url) return { url, stop: async () => {} };
  const dataDirectory = await temporaryFolder();
  const postgres = await EmbeddedPostgres.start({ dataDirectory, log: pino({ level: 'silent' }) });
  return {
    url: postgres.url,
    stop: async () => {
      await postgres.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const dataSource = await createDataSource({ url, poolSize: 1 }).initialize();
  try {
    await dataSource.query(statement);
  } finally {
    await dataSource.destroy();
  }
}
