/** Starts the PostgreSQL that all integration tests of a run share, unless `TEST_DATABASE_URL` names one. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { pino } from 'pino';
import { embeddedPostgres } from './data-template.ts';
import { makeRunFolder, staysUntilEnd, temporaryFolder } from './run-folder.ts';

/** Nothing here has to outlive a power cut, and most of the work is copying a template. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  max_connections: '200',
};

export default async function startPostgres() {
  const removeRunFolder = await makeRunFolder();
  process.env.TEST_DATABASE_TEMPLATE = `agent_traffic_test_template_${randomBytes(4).toString('hex')}`;
  if (process.env.TEST_DATABASE_URL) {
    globalThis.stopSharedPostgres = async () => {
      await dropTemplates();
      await removeRunFolder();
    };
    return;
  }
  const { EmbeddedPostgres } = await embeddedPostgres();
  const dataDirectory = await temporaryFolder();
  const postgres = await EmbeddedPostgres.start({ dataDirectory, log: pino({ level: 'error' }), settings: SETTINGS });
  process.env.TEST_DATABASE_URL = postgres.url;
  if (staysUntilEnd(dataDirectory)) process.env.TEST_DATABASES_STAY = 'until the server ends';
  globalThis.stopSharedPostgres = async () => {
    await postgres.stop();
    await removeRunFolder();
  };
}

/** A server that stays keeps nothing of the run. */
async function dropTemplates() {
  const client = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  const templates = 'SELECT datname FROM pg_database WHERE starts_with(datname, $1)';
  const { rows } = await client.query(templates, [process.env.TEST_DATABASE_TEMPLATE]);
  for (const { datname } of rows) await client.query(`DROP DATABASE ${datname}`);
  await client.end();
}
