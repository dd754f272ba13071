import { randomBytes } from 'node:crypto';
import { Pool, type PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource, migrate } from '#libs/database';

export interface TestDatabase {
  url: string;
  /** Connected and migrated. */
  dataSource: DataSource;
  /** Disconnects and drops the database, unless it's deleted with the run's folder. */
  stop(): Promise<void>;
}

/** Initial content of a test database. It's created once per run and then copied. */
export interface DatabaseTemplate {
  name: string;
  /** @param url URL of a migrated database. */
  make(url: string): Promise<void>;
}

const MIGRATED: DatabaseTemplate = {
  name: 'migrated',
  make: async (url) => {
    const dataSource = await createDataSource({ url, poolSize: 1 }).initialize();
    await migrate(dataSource).finally(() => dataSource.destroy());
  },
};

/** Creates a database from a template on the run's server. See shared-postgres.mjs. */
export async function startTestDatabase(template: DatabaseTemplate = MIGRATED): Promise<TestDatabase> {
  const name = `agent_traffic_test_${randomBytes(6).toString('hex')}`;
  await onServer(async (server) => {
    // PostgreSQL can't copy a database with open connections, so only one copy runs at a time.
    const lock = [process.env['TEST_DATABASE_TEMPLATE']!];
    await server.query(`SELECT pg_advisory_lock(hashtext($1))`, lock);
    try {
      await copy(server, await templateOf(server, template), name);
    } finally {
      await server.query(`SELECT pg_advisory_unlock(hashtext($1))`, lock);
    }
  });
  const url = urlOf(name);
  const dataSource = await createDataSource({ url, poolSize: 5 }).initialize();
  return { url, dataSource, stop: () => dispose(dataSource, name) };
}

function urlOf(name: string): string {
  const url = new URL(process.env['TEST_DATABASE_URL']!);
  url.pathname = `/${name}`;
  return url.href;
}

/** Copies a database. The default strategy is slower, because it writes the whole template to the WAL. */
const copy = (server: PoolClient, template: string, name: string): Promise<unknown> =>
  server.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);

/** Creates the template database if it doesn't exist. @returns its name. */
async function templateOf(server: PoolClient, template: DatabaseTemplate): Promise<string> {
  const name = `${process.env['TEST_DATABASE_TEMPLATE']!}_${template.name}`;
  const { rowCount: found } = await server.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (found) return name;
  const base = template === MIGRATED ? 'template1' : await templateOf(server, MIGRATED);
  // Left over from a failed attempt. Trying again makes every test file report the error.
  await server.query(`DROP DATABASE IF EXISTS ${name}_unfinished`);
  await copy(server, base, `${name}_unfinished`);
  await template.make(urlOf(`${name}_unfinished`));
  await server.query(`ALTER DATABASE ${name}_unfinished RENAME TO ${name}`);
  return name;
}

async function dispose(dataSource: DataSource, name: string): Promise<void> {
  await refuseUnlessTest(dataSource);
  if (dataSource.isInitialized) await dataSource.destroy();
  if (process.env['TEST_DATABASES_STAY']) return;
  await onServer((server) => server.query(`DROP DATABASE ${name} WITH (FORCE)`));
}

/** Checks the database name on the server before anything is destroyed. */
async function refuseUnlessTest(dataSource: DataSource): Promise<void> {
  const [{ name }] = (await dataSource.query('SELECT current_database() AS name')) as [{ name: string }];
  if (!name.includes('test')) throw new Error(`${name} is not the database of a test`);
}

/** One connection for all test files of a worker, because connecting takes as long as copying a database. */
const servers = new Pool({
  connectionString: process.env['TEST_DATABASE_URL'],
  max: 1,
  idleTimeoutMillis: 0,
  // Lets a finished worker exit.
  allowExitOnIdle: true,
});
// With `--runInBand`, the server stops before this process does.
servers.on('error', () => undefined);

/** Runs `use` on the worker's only connection, so calls are serialized. */
async function onServer(use: (server: PoolClient) => Promise<unknown>): Promise<void> {
  const server = await servers.connect();
  try {
    await use(server);
  } finally {
    server.release();
  }
}
