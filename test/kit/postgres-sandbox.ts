import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgres, type PostgresLog } from '#libs/embedded-postgres';
import { removeFolder, temporaryFolder } from './run-folder.js';

/** Data directory for a single test. Closing the sandbox stops and deletes its databases. */
export class Sandbox {
  readonly root: string;
  readonly dataDirectory: string;
  /** Log entries in the form `level: message`. */
  readonly messages: string[] = [];
  readonly log: PostgresLog;
  readonly #databases: EmbeddedPostgres[] = [];

  private constructor(root: string) {
    this.root = root;
    this.dataDirectory = join(root, 'data');
    const logAt = (level: string) => (_: object, message: string) => void this.messages.push(`${level}: ${message}`);
    const log = { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
    this.log = log as PostgresLog;
  }

  static async create(): Promise<Sandbox> {
    const root = await temporaryFolder();
    await chmod(root, 0o755);
    return new Sandbox(root);
  }

  async start(dataDirectory = this.dataDirectory): Promise<EmbeddedPostgres> {
    const postgres = await EmbeddedPostgres.start({ dataDirectory, log: this.log });
    this.#databases.push(postgres);
    return postgres;
  }

  async close(): Promise<void> {
    for (const postgres of this.#databases) await postgres.stop();
    await removeFolder(this.root);
  }
}

/**
 * Polls until the check passes.
 *
 * @throws the check's last error after 20 seconds
 */
export async function eventually(check: () => Promise<unknown>): Promise<void> {
  for (const deadline = Date.now() + 20_000; ; await sleep(50)) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
