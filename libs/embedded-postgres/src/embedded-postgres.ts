import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { usableBinaries } from './binaries.js';
import { NAME, prepareCluster } from './cluster.js';
import { createDataDirectory } from './files.js';
import { findHome } from './home.js';
import { stopOrphan } from './orphan.js';
import type { PostgresLog } from './server-log.js';
import { type ServerOptions, ServerProcess } from './server-process.js';

export interface EmbeddedPostgresOptions {
  /** `DATA_DIR`. The caller must hold its instance lock. */
  dataDirectory: string;
  log: PostgresLog;
  /** PostgreSQL settings that override ours, by name. Tests can turn off `fsync`, for example. */
  settings?: Record<string, string>;
}

const SHORTEST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;
/** Uptime after which the restart delay is reset. */
const SOUND_RUN_MS = 30_000;
const PORTS_TRIED = 10;
const PREDECESSOR_TIMEOUT_MS = 20_000;

/** PostgreSQL server from the npm package, for the data of one `DATA_DIR`. Restarts the server if it dies. */
export class EmbeddedPostgres {
  readonly #options: Omit<ServerOptions, 'strangerId'>;
  readonly #password: string;
  readonly #stopping = new AbortController();
  #server: ServerProcess | undefined;
  #supervision: Promise<void> = Promise.resolve();

  private constructor(options: Omit<ServerOptions, 'strangerId'>, password: string) {
    this.#options = options;
    this.#password = password;
  }

  /**
   * Creates the database if it doesn't exist, stops a server that a killed process left running, and starts a new one.
   * @throws Error with a message for the user about how to fix the problem.
   */
  static async start({ dataDirectory, log, settings = {} }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    await createDataDirectory(dataDirectory);
    const home = await findHome(dataDirectory, log);
    const cluster = join(home.path, 'postgres');
    await stopOrphan(cluster, log);
    const binaries = await usableBinaries(home.path, home.user, log);
    const password = await prepareCluster(home, binaries, join(dataDirectory, 'postgres-password'), log);
    const postgres = new EmbeddedPostgres({ binaries, cluster, user: home.user, port: 0, settings, log }, password);
    await postgres.#firstLaunch();
    postgres.#supervision = postgres.#supervise();
    return postgres;
  }

  /** Connection URL, including the password. Stays the same until `stop`. */
  get url(): string {
    return `postgres://${NAME}:${this.#password}@127.0.0.1:${this.#options.port}/${NAME}`;
  }

  /** The cluster's folder. May be outside `DATA_DIR`. */
  get clusterDirectory(): string {
    return this.#options.cluster;
  }

  /** Closes all connections and stops the server. Forces it to stop after 8 s. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#server?.stop();
    await this.#supervision;
    process.off('exit', this.#onExit);
  }

  // Also runs on process.exit, which would otherwise leave an orphaned server.
  readonly #onExit = (): void => this.#server?.signal('SIGINT');

  async #firstLaunch(): Promise<void> {
    process.on('exit', this.#onExit);
    const deadline = Date.now() + PREDECESSOR_TIMEOUT_MS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#options.port = await freePort();
        return await this.#launch();
      } catch (error) {
        const again =
          (this.#server?.foundPortTaken && attempt < PORTS_TRIED) ||
          (this.#server?.foundPredecessor && Date.now() < deadline);
        if (!again) {
          process.off('exit', this.#onExit);
          throw error;
        }
        await sleep(SHORTEST_DELAY_MS);
      }
    }
  }

  async #launch(): Promise<void> {
    const strangerId = await stopOrphan(this.#options.cluster, this.#options.log);
    if (this.#stopping.signal.aborted) return;
    this.#server = new ServerProcess({ ...this.#options, strangerId });
    await this.#server.ready();
  }

  async #supervise(): Promise<void> {
    const { log, port } = this.#options;
    const { signal } = this.#stopping;
    for (let delay = SHORTEST_DELAY_MS; ; delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
      const end = await this.#server?.ended;
      if (signal.aborted) return;
      if (Date.now() - this.#server!.startedAt > SOUND_RUN_MS) delay = SHORTEST_DELAY_MS;
      log.error({ retry_in_ms: delay }, `the database died: ${end}; starting it again`);
      await sleep(delay, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.#launch();
        if (!signal.aborted) log.info({ port }, 'the database accepts connections again');
      } catch (error) {
        if (!signal.aborted) log.error({ err: error }, 'the database does not start');
      }
    }
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
