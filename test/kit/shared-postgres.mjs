/** Starts the PostgreSQL server that all integration tests of a run share, unless `TEST_DATABASE_URL` names one. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { pino } from 'pino';
import { embeddedPostgres } from './data-template.ts';
import { makeRunFolder, staysUntilEnd, temporaryFolder } from './run-folder.ts';

/** Data doesn't need to survive a power failure, and most of the work is copying a template. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  max_connections: '200',
  // The cluster's own folder, which PostgreSQL's user can write to.
  unix_socket_directories: process.platform === 'win32' ? '' : '.',
};

/** Maximum length of a socket path in bytes that works on all platforms. */
const LONGEST_SOCKET_PATH = 103;

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
  process.env.TEST_DATABASE_URL = await quickUrl(postgres);
  if (staysUntilEnd(dataDirectory)) process.env.TEST_DATABASES_STAY = 'until the server ends';
  globalThis.stopSharedPostgres = async () => {
    await postgres.stop();
    await removeRunFolder();
  };
}

/**
 * Returns the URL of a server, by Unix socket if possible, because that has less overhead than TCP. The URL falls back
 * to TCP if the parameter `host` is removed. Also makes the password cheap to check.
 */
async function quickUrl({ url, clusterDirectory }) {
  const { username, password, port } = new URL(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`SET scram_iterations = 1; ALTER ROLE ${username} PASSWORD '${password}'`);
  await client.end();
  const isShort = Buffer.byteLength(`${clusterDirectory}/.s.PGSQL.${port}`) <= LONGEST_SOCKET_PATH;
  return isShort && SETTINGS.unix_socket_directories ? `${url}?host=${encodeURIComponent(clusterDirectory)}` : url;
}

/** Removes the run's templates from a server that keeps running. */
async function dropTemplates() {
  const client = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  const templates = 'SELECT datname FROM pg_database WHERE starts_with(datname, $1)';
  const { rows } = await client.query(templates, [process.env.TEST_DATABASE_TEMPLATE]);
  for (const { datname } of rows) await client.query(`DROP DATABASE ${datname}`);
  await client.end();
}
