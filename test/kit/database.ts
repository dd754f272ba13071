import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { createDataSource, migrate } from '#libs/database';

export interface TestDatabase {
  url: string;
  /** Connected and migrated. */
  dataSource: DataSource;
  /** Drops the database, unless its server ends with the run. */
  stop(): Promise<void>;
}

/** A new, migrated database on the server of the run; see shared-postgres.mjs. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const name = `agent_traffic_test_${randomBytes(6).toString('hex')}`;
  await copyTemplate(name);
  const url = urlOf(name);
  const dataSource = await createDataSource({ url, poolSize: 5 }).initialize();
  return { url, dataSource, stop: () => dispose(dataSource, name) };
}

function urlOf(name: string): string {
  const url = new URL(process.env['TEST_DATABASE_URL']!);
  url.pathname = `/${name}`;
  return url.href;
}

/** Migrating takes a second: the first who asks does it for the whole run, the others copy. */
async function copyTemplate(name: string): Promise<void> {
  const template = process.env['TEST_DATABASE_TEMPLATE']!;
  await onServer(async (server) => {
    // A database that somebody is connected to cannot be copied, so one copies at a time.
    await server.query(`SELECT pg_advisory_lock(hashtext($1))`, [template]);
    const [found] = await server.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (!found) await makeTemplate(server, template);
    // Three times as fast as the default, which writes the whole template to the log.
    await server.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  });
}

async function makeTemplate(server: DataSource, template: string): Promise<void> {
  // Left behind by a migration that failed, whose error the other files shall see, too.
  await server.query(`DROP DATABASE IF EXISTS ${template}_unfinished`);
  await server.query(`CREATE DATABASE ${template}_unfinished`);
  const dataSource = await createDataSource({ url: urlOf(`${template}_unfinished`), poolSize: 1 }).initialize();
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
  await server.query(`ALTER DATABASE ${template}_unfinished RENAME TO ${template}`);
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

/** The lock of a session ends with its connection. */
async function onServer(use: (server: DataSource) => Promise<unknown>): Promise<void> {
  const server = await createDataSource({ url: process.env['TEST_DATABASE_URL']!, poolSize: 1 }).initialize();
  try {
    await use(server);
  } finally {
    await server.destroy();
  }
}
