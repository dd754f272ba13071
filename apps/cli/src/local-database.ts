import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgres, findRunningPostgres } from '#libs/embedded-postgres';
import { createLogger } from '#libs/platform';
import { acquireInstanceLock, AlreadyRunningError } from '../../standalone/src/instance-lock.js';
import { CliError } from './cli-error.js';

interface LocalDatabase {
  url: string;
  /** Path of the cluster folder. */
  cluster: string;
  close(): Promise<void>;
}

/**
 * Opens the embedded database of an instance on this machine. If the instance isn't running, its database is started
 * until `close` is called.
 *
 * @param name Name of the command, for the log.
 */
export async function openLocalDatabase(dataDirectory: string, name: string): Promise<LocalDatabase> {
  try {
    const lock = await acquireInstanceLock(dataDirectory);
    try {
      const log = createLogger({ service: name, level: 'warn', pretty: true });
      const postgres = await EmbeddedPostgres.start({ dataDirectory, log });
      const close = async (): Promise<void> => {
        await postgres.stop();
        await lock.release();
      };
      return { url: postgres.url, cluster: postgres.clusterDirectory, close };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    if (!(error instanceof AlreadyRunningError)) throw error;
    return { ...(await findRunningPostgres(dataDirectory)), close: async () => {} };
  }
}

/** @throws {CliError} if the folder isn't an instance's data folder. */
export async function requireInstance(dataDirectory: string): Promise<void> {
  await stat(join(dataDirectory, 'secret-key')).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`No instance found in ${dataDirectory}: ${error.message}`, {
      hint: 'Run this command in the folder where you start the instance, or set DATA_DIR to its data folder.',
      cause: error,
    });
  });
}
