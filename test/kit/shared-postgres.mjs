/**
 * Starts one PostgreSQL server for all integration tests in a run, unless `TEST_DATABASE_URL` is set. If
 * `TEST_VISIT_STORE` is `clickhouse`, also starts a ClickHouse server, unless `TEST_CLICKHOUSE_URL` is set.
 */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { pino } from 'pino';
import { embeddedPostgres } from './data-template.ts';
import { createRunFolder, isRemovedWithRun, temporaryFolder } from './run-folder.ts';

/** Trades durability for speed. Test data doesn't need to survive a crash, and most of the work is copying templates. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  max_connections: '200',
  // The path is relative to the data directory, which the PostgreSQL user can write to.
  unix_socket_directories: process.platform === 'win32' ? '' : '.',
};

/** Maximum length of a Unix socket path on all supported platforms. */
const MAX_SOCKET_PATH_BYTES = 103;

export default async function startServers() {
  const removeRunFolder = await createRunFolder();
  const stopClickHouse = await startClickHouse();
  process.env.TEST_DATABASE_TEMPLATE = `agent_traffic_test_template_${randomBytes(4).toString('hex')}`;
  if (process.env.TEST_DATABASE_URL) {
    globalThis.stopSharedServers = async () => {
      await dropTemplates();
      await stopClickHouse();
      await removeRunFolder();
    };
    return;
  }
  const { EmbeddedPostgres } = await embeddedPostgres();
  const dataDirectory = await temporaryFolder();
  const postgres = await EmbeddedPostgres.start({ dataDirectory, log: pino({ level: 'error' }), settings: SETTINGS });
  process.env.TEST_DATABASE_URL = await getFastUrl(postgres);
  if (isRemovedWithRun(dataDirectory)) process.env.TEST_KEEP_DATABASES = '1';
  globalThis.stopSharedServers = async () => {
    await postgres.stop();
    await stopClickHouse();
    await removeRunFolder();
  };
}

/** Returns a function that stops the server. */
async function startClickHouse() {
  if (process.env.TEST_VISIT_STORE !== 'clickhouse' || process.env.TEST_CLICKHOUSE_URL) return async () => {};
  const { ClickHouseServer } = await import('./clickhouse.ts');
  const { disposables } = await import('./instance.ts');
  const server = await ClickHouseServer.start();
  // With `--runInBand`, the first test file would dispose of the server.
  disposables.delete(server);
  process.env.TEST_CLICKHOUSE_URL = server.url;
  return () => server.dispose();
}

/**
 * Returns a server URL that uses a Unix socket if possible, which has less overhead than TCP. Without its `host`
 * parameter, the URL uses TCP. Also reduces the SCRAM iterations to speed up password checks.
 */
async function getFastUrl({ url, clusterDirectory }) {
  const { username, password, port } = new URL(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`SET scram_iterations = 1; ALTER ROLE ${username} PASSWORD '${password}'`);
  await client.end();
  const isShort = Buffer.byteLength(`${clusterDirectory}/.s.PGSQL.${port}`) <= MAX_SOCKET_PATH_BYTES;
  return isShort && SETTINGS.unix_socket_directories ? `${url}?host=${encodeURIComponent(clusterDirectory)}` : url;
}

/** Drops the run's template databases, because an external server keeps running after the tests. */
async function dropTemplates() {
  const client = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  const templates = 'SELECT datname FROM pg_database WHERE starts_with(datname, $1)';
  const { rows } = await client.query(templates, [process.env.TEST_DATABASE_TEMPLATE]);
  for (const { datname } of rows) await client.query(`DROP DATABASE ${datname}`);
  await client.end();
}
