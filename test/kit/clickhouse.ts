import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { VisitStoreOptions } from '#libs/visit-store';
import { ensurePython } from '../stack/python.ts';
import { ServerProcess } from '../stack/server-process.ts';
import { disposables, freePort, temporaryFolder } from './instance.ts';

const FOLDER = join(import.meta.dirname, '../clickhouse');
const USER = 'agent_traffic';
const PASSWORD = 'agent-traffic';

/** ClickHouse server on localhost. Its data and address stay the same when the process is stopped and started again. */
export class ClickHouseServer {
  readonly process: ServerProcess;
  private readonly dataFolder: string;

  private constructor(process: ServerProcess, dataFolder: string) {
    this.process = process;
    this.dataFolder = dataFolder;
  }

  static async start(): Promise<ClickHouseServer> {
    const command = await ensurePython(join(FOLDER, 'requirements.txt'));
    const [port, dataFolder] = [await freePort(), await temporaryFolder()];
    const credentials = ['--user', USER, '--password', PASSWORD];
    const args = [join(FOLDER, 'server.py'), dataFolder, '--port', String(port), ...credentials];
    const server = new ClickHouseServer(new ServerProcess({ command, args, port }), dataFolder);
    disposables.add(server);
    await server.process.start();
    return server;
  }

  /** URL with the user and password. */
  get url(): string {
    return `http://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.process.port}/`;
  }

  /** Options for connecting to a database that doesn't exist yet. */
  get options(): VisitStoreOptions {
    return parseUrl(new URL(this.url));
  }

  async dispose(): Promise<void> {
    disposables.delete(this);
    await this.process.kill();
    await rm(this.dataFolder, { recursive: true, force: true });
  }
}

let sharedServer: Promise<ClickHouseServer> | null = null;

/** Returns a server shared by all tests in a file. */
async function getSharedServer(): Promise<ClickHouseServer> {
  const current = (sharedServer ??= ClickHouseServer.start());
  const server = await current;
  if (disposables.has(server)) return server;
  // The server was disposed of along with the previous test file.
  if (sharedServer === current) sharedServer = null;
  return getSharedServer();
}

/**
 * Creates an empty database on the server in `TEST_CLICKHOUSE_URL`, or on a local server by default. It's dropped after
 * the test file's last test.
 *
 * @returns options for connecting to the database
 */
export async function createClickHouseDatabase(): Promise<VisitStoreOptions> {
  const { TEST_CLICKHOUSE_URL: externalUrl } = process.env;
  const server = externalUrl === undefined ? (await getSharedServer()).options : parseUrl(new URL(externalUrl));
  const options = { ...server, database: `agent_traffic_test_${randomBytes(6).toString('hex')}` };
  await runStatement(options, `CREATE DATABASE ${options.database}`);
  if (externalUrl !== undefined) {
    const database = {
      dispose: async () => {
        disposables.delete(database);
        await dropClickHouseDatabase(options);
      },
    };
    disposables.add(database);
  }
  return options;
}

/**
 * Returns the ClickHouse database that stores the visits of a test database, which has the same name. Returns null if
 * PostgreSQL stores them, which is the case unless `TEST_VISIT_STORE` is `clickhouse`.
 */
export function testVisitStore(dataSource: DataSource): VisitStoreOptions | null {
  const { TEST_VISIT_STORE: name, TEST_CLICKHOUSE_URL: serverUrl } = process.env;
  if (name !== 'clickhouse') return null;
  const { url } = dataSource.options as { url: string };
  return { ...parseUrl(new URL(serverUrl!)), database: new URL(url).pathname.slice(1) };
}

const parseUrl = ({ origin, username, password }: URL): VisitStoreOptions => ({
  url: origin,
  user: decodeURIComponent(username) || 'default',
  password: decodeURIComponent(password),
  database: 'agent_traffic',
  cluster: null,
  ca: null,
});

export const dropClickHouseDatabase = (options: VisitStoreOptions): Promise<void> =>
  runStatement(options, `DROP DATABASE IF EXISTS ${options.database} SYNC`);

export async function runStatement({ url, user, password }: VisitStoreOptions, statement: string): Promise<void> {
  const headers = { 'x-clickhouse-user': user, 'x-clickhouse-key': password };
  const response = await fetch(url, { method: 'POST', headers, body: statement });
  if (!response.ok) throw new Error(await response.text());
}
