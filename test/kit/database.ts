import { randomBytes } from 'node:crypto';
import { Pool, type PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource, migrate } from '#libs/database';

export interface TestDatabase {
  url: string;
  /** Connected and migrated. */
  dataSource: DataSource;
  /** Drops the database, unless its server ends with the run. */
  stop(): Promise<void>;
}

/** What a database already has when a test begins. It is made once for the whole run, which the others copy. */
export interface DatabaseTemplate {
  name: string;
  /** @param url of a database that is migrated. */
  make(url: string): Promise<void>;
}

const MIGRATED: DatabaseTemplate = {
  name: 'migrated',
  make: async (url) => {
    const dataSource = await createDataSource({ url, poolSize: 1 }).initialize();
    await migrate(dataSource).finally(() => dataSource.destroy());
  },
};

/** A new, migrated database on the server of the run; see shared-postgres.mjs. */
export async function startTestDatabase(template: DatabaseTemplate = MIGRATED): Promise<TestDatabase> {
  const name = `agent_traffic_test_${randomBytes(6).toString('hex')}`;
  await onServer(async (server) => {
    // A database that somebody is connected to cannot be copied, so one copies at a time.
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

/** Three times as fast as the default, which writes the whole template to the log. */
const copy = (server: PoolClient, template: string, name: string): Promise<unknown> =>
  server.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);

/** Makes it unless somebody has. @returns its name. */
async function templateOf(server: PoolClient, template: DatabaseTemplate): Promise<string> {
  const name = `${process.env['TEST_DATABASE_TEMPLATE']!}_${template.name}`;
  const { rowCount: found } = await server.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (found) return name;
  const base = template === MIGRATED ? 'template1' : await templateOf(server, MIGRATED);
  // Left behind by what failed, whose error the other files shall see, too.
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

/** Asks the server, not our own notes: what is destroyed must say that it is a test's. */
async function refuseUnlessTest(dataSource: DataSource): Promise<void> {
  const [{ name }] = (await dataSource.query('SELECT current_database() AS name')) as [{ name: string }];
  if (!name.includes('test')) throw new Error(`${name} is not the database of a test`);
}

/** One connection for all files of a worker: making one takes as long as making a database. */
const servers = new Pool({
  connectionString: process.env['TEST_DATABASE_URL'],
  max: 1,
  idleTimeoutMillis: 0,
  // It does not keep a worker that is done.
  allowExitOnIdle: true,
});
// Without workers, the server ends before this process.
servers.on('error', () => undefined);

/** One at a time. */
async function onServer(use: (server: PoolClient) => Promise<unknown>): Promise<void> {
  const server = await servers.connect();
  try {
    await use(server);
  } finally {
    server.release();
  }
}
