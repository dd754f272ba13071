import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareBinaries } from './binaries.js';
import { DATABASE_NAME, prepareCluster } from './cluster.js';
import { createDataDirectory } from './files.js';
import { findHome } from './home.js';
import { stopOrphan } from './orphan.js';
import type { PostgresLog } from './server-log.js';
import { type ServerOptions, ServerProcess } from './server-process.js';

export interface EmbeddedPostgresOptions {
  /** The `DATA_DIR` folder. The caller must hold its instance lock. */
  dataDirectory: string;
  log: PostgresLog;
  /** PostgreSQL settings by name, which override the defaults. Tests can turn off `fsync`, for example. */
  settings?: Record<string, string>;
}

const MIN_RESTART_DELAY_MS = 200;
const MAX_RESTART_DELAY_MS = 5_000;
/** The restart delay is reset after this uptime. */
const STABLE_UPTIME_MS = 30_000;
const MAX_PORT_ATTEMPTS = 10;
const PREDECESSOR_TIMEOUT_MS = 20_000;

/** Runs a PostgreSQL server from the npm package for one `DATA_DIR`, and restarts it after a crash. */
export class EmbeddedPostgres {
  readonly #options: Omit<ServerOptions, 'staleProcessId'>;
  readonly #password: string;
  readonly #stopping = new AbortController();
  #server: ServerProcess | undefined;
  #supervision: Promise<void> = Promise.resolve();

  private constructor(options: Omit<ServerOptions, 'staleProcessId'>, password: string) {
    this.#options = options;
    this.#password = password;
  }

  /**
   * Creates the database if it doesn't exist, stops an orphaned server from a killed process, and starts a new server.
   * @throws {Error} with a message that tells the user how to fix the problem.
   */
  static async start({ dataDirectory, log, settings = {} }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    await createDataDirectory(dataDirectory);
    const home = await findHome(dataDirectory, log);
    const cluster = join(home.path, 'postgres');
    await stopOrphan(cluster, log);
    const binaries = await prepareBinaries(home.path, home.user, log);
    const password = await prepareCluster(home, binaries, join(dataDirectory, 'postgres-password'), log);
    const postgres = new EmbeddedPostgres({ binaries, cluster, user: home.user, port: 0, settings, log }, password);
    await postgres.#firstLaunch();
    postgres.#supervision = postgres.#supervise();
    return postgres;
  }

  /** Connection URL, including the password. Doesn't change until `stop` is called. */
  get url(): string {
    return `postgres://${DATABASE_NAME}:${this.#password}@127.0.0.1:${this.#options.port}/${DATABASE_NAME}`;
  }

  /** Path to the cluster folder, which may be outside `DATA_DIR`. */
  get clusterDirectory(): string {
    return this.#options.cluster;
  }

  /** Closes all connections and stops the server, by force after 8 seconds. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#server?.stop();
    await this.#supervision;
    process.off('exit', this.#onExit);
  }

  // Without this handler, `process.exit` would leave an orphaned server.
  readonly #onExit = (): void => this.#server?.signal('SIGINT');

  async #firstLaunch(): Promise<void> {
    process.on('exit', this.#onExit);
    const deadline = Date.now() + PREDECESSOR_TIMEOUT_MS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#options.port = await findFreePort();
        return await this.#launch();
      } catch (error) {
        const canRetry =
          (this.#server?.foundPortTaken && attempt < MAX_PORT_ATTEMPTS) ||
          (this.#server?.foundPredecessor && Date.now() < deadline);
        if (!canRetry) {
          process.off('exit', this.#onExit);
          throw error;
        }
        await sleep(MIN_RESTART_DELAY_MS);
      }
    }
  }

  async #launch(): Promise<void> {
    const staleProcessId = await stopOrphan(this.#options.cluster, this.#options.log);
    if (this.#stopping.signal.aborted) return;
    this.#server = new ServerProcess({ ...this.#options, staleProcessId });
    await this.#server.waitUntilReady();
  }

  async #supervise(): Promise<void> {
    const { log, port } = this.#options;
    const { signal } = this.#stopping;
    for (let delayMs = MIN_RESTART_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RESTART_DELAY_MS)) {
      const exitReason = await this.#server?.exited;
      if (signal.aborted) return;
      if (Date.now() - this.#server!.startedAt > STABLE_UPTIME_MS) delayMs = MIN_RESTART_DELAY_MS;
      log.error({ retry_in_ms: delayMs }, `the database stopped unexpectedly: ${exitReason}; restarting it`);
      await sleep(delayMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.#launch();
        if (!signal.aborted) log.info({ port }, 'the database is accepting connections again');
      } catch (error) {
        if (!signal.aborted) log.error({ err: error }, "the database couldn't be restarted");
      }
    }
  }
}

async function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
