import { randomBytes } from 'node:crypto';
import { Pool, type PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource, migrate } from '#libs/database';
import { prepareVisitStore } from '#libs/visit-store';
import { dropClickHouseDatabase, testVisitStore } from './clickhouse.js';

export interface TestDatabase {
  url: string;
  /** Connection to the migrated database. */
  dataSource: DataSource;
  /** Disconnects and drops the database, unless the database is deleted along with the run folder. */
  stop(): Promise<void>;
}

/** Initial content of a test database, created once per run and then copied. */
export interface DatabaseTemplate {
  name: string;
  /** @param url URL of a migrated database. */
  populate(url: string): Promise<void>;
}

const MIGRATED_TEMPLATE: DatabaseTemplate = {
  name: 'migrated',
  populate: async (url) => {
    const dataSource = await createDataSource({ url, poolSize: 1 }).initialize();
    await migrate(dataSource).finally(() => dataSource.destroy());
  },
};

/**
 * Creates a database by copying a template on the run's server. See shared-postgres.mjs. If `TEST_VISIT_STORE` is
 * `clickhouse`, also creates a ClickHouse database for its visits.
 */
export async function startTestDatabase(template: DatabaseTemplate = MIGRATED_TEMPLATE): Promise<TestDatabase> {
  const name = `agent_traffic_test_${randomBytes(6).toString('hex')}`;
  await withServer(async (server) => {
    // PostgreSQL can't copy a database with open connections, so only one copy runs at a time.
    const lock = [process.env['TEST_DATABASE_TEMPLATE']!];
    await server.query(`SELECT pg_advisory_lock(hashtext($1))`, lock);
    try {
      await copyDatabase(server, await ensureTemplate(server, template), name);
    } finally {
      await server.query(`SELECT pg_advisory_unlock(hashtext($1))`, lock);
    }
  });
  const url = toDatabaseUrl(name);
  const dataSource = await createDataSource({ url, poolSize: 5 }).initialize();
  const visitStore = testVisitStore(dataSource);
  if (visitStore !== null) await prepareVisitStore(dataSource, visitStore);
  return { url, dataSource, stop: () => dropDatabase(dataSource, name) };
}

function toDatabaseUrl(name: string): string {
  const url = new URL(process.env['TEST_DATABASE_URL']!);
  url.pathname = `/${name}`;
  return url.href;
}

/** `file_copy` is faster than the default strategy, which writes the entire template to the WAL. */
const copyDatabase = (server: PoolClient, template: string, name: string): Promise<unknown> =>
  server.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);

/**
 * Creates the template database if it doesn't exist.
 *
 * @returns the database name
 */
async function ensureTemplate(server: PoolClient, template: DatabaseTemplate): Promise<string> {
  const name = `${process.env['TEST_DATABASE_TEMPLATE']!}_${template.name}`;
  const { rowCount: isCreated } = await server.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (isCreated) return name;
  const base = template === MIGRATED_TEMPLATE ? 'template1' : await ensureTemplate(server, MIGRATED_TEMPLATE);
  // A failed attempt may have left an unfinished template behind. Each test file tries again, so all of them report the
  // error.
  await server.query(`DROP DATABASE IF EXISTS ${name}_unfinished`);
  await copyDatabase(server, base, `${name}_unfinished`);
  await template.populate(toDatabaseUrl(`${name}_unfinished`));
  await server.query(`ALTER DATABASE ${name}_unfinished RENAME TO ${name}`);
  return name;
}

async function dropDatabase(dataSource: DataSource, name: string): Promise<void> {
  await assertTestDatabase(dataSource);
  if (dataSource.isInitialized) await dataSource.destroy();
  const visitStore = testVisitStore(dataSource);
  if (visitStore !== null) await dropClickHouseDatabase(visitStore);
  if (process.env['TEST_KEEP_DATABASES']) return;
  await withServer((server) => server.query(`DROP DATABASE ${name} WITH (FORCE)`));
}

/** Prevents tests from dropping a real database. The name comes from the server, not from the URL. */
async function assertTestDatabase(dataSource: DataSource): Promise<void> {
  const [{ name }] = (await dataSource.query('SELECT current_database() AS name')) as [{ name: string }];
  if (!name.includes('test')) throw new Error(`${name} is not a test database`);
}

/** Single connection shared by all test files in a worker, because connecting takes as long as copying a database. */
const serverPool = new Pool({
  connectionString: process.env['TEST_DATABASE_URL'],
  max: 1,
  idleTimeoutMillis: 0,
  // Let the worker exit once its tests have finished.
  allowExitOnIdle: true,
});
// With `--runInBand`, the server is stopped before this process exits. This closes the idle connection, which must not
// cause an error.
serverPool.on('error', () => undefined);

/** Runs `use` on the worker's only connection, so only one call runs at a time. */
async function withServer(use: (server: PoolClient) => Promise<unknown>): Promise<void> {
  const server = await serverPool.connect();
  try {
    await use(server);
  } finally {
    server.release();
  }
}
