import { createWriteStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataSource } from '#libs/database';
import { baseBackup, clusterFormat, EmbeddedPostgres, runningPostgres } from '#libs/embedded-postgres';
import { createLogger, productVersion } from '#libs/platform';
import { acquireInstanceLock, AlreadyRunningError } from '../../../standalone/src/instance-lock.js';
import { CliError } from '../cli-error.js';
import { writeWhole } from '../replaced-file.js';
import { type ArchiveEntry, manifestEntry, textEntry, writeArchive } from './archive.js';
import type { ByteProgress } from './byte-progress.js';
import { KEPT_FILES } from './kept-files.js';

interface Source {
  url: string;
  cluster: string;
  close(): Promise<void>;
}

/**
 * Writes a consistent copy of an instance's data to one file, completely or not at all. A running instance keeps
 * running. If none is running, its database is started for the backup.
 *
 * @returns the size of the file in bytes.
 */
export async function runBackup(
  dataDirectory: string,
  file: string,
  progress: ByteProgress,
  signal: AbortSignal,
): Promise<number> {
  await requireInstance(dataDirectory);
  const source = await openSource(dataDirectory);
  // PostgreSQL ties a backup to its connection.
  const database = createDataSource({ url: source.url, poolSize: 1, applicationName: 'backup' });
  try {
    await database.initialize();
    const runner = database.createQueryRunner();
    const query = (sql: string): Promise<Record<string, unknown>[]> => runner.query(sql);
    const cluster = baseBackup(await realpath(source.cluster), query, progress.start);
    await writeWhole(file, async (unfinished) => {
      const output = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
      await writeArchive(entriesOf(dataDirectory, cluster), output, { onBytes: progress.add, signal });
    });
    return (await stat(file)).size;
  } finally {
    if (database.isInitialized) await database.destroy();
    await source.close();
  }
}

async function requireInstance(dataDirectory: string): Promise<void> {
  await stat(join(dataDirectory, 'secret-key')).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`There is no instance in ${dataDirectory}: ${error.message}`, {
      hint: 'Run this where the instance was started, or set DATA_DIR to its folder.',
      cause: error,
    });
  });
}

async function openSource(dataDirectory: string): Promise<Source> {
  try {
    const lock = await acquireInstanceLock(dataDirectory);
    try {
      const log = createLogger({ service: 'backup', level: 'warn', pretty: true });
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
    return { ...(await runningPostgres(dataDirectory)), close: async () => {} };
  }
}

async function* entriesOf(dataDirectory: string, cluster: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry> {
  const { platform, version: postgres } = await clusterFormat();
  yield manifestEntry({ created_at: new Date().toISOString(), version: productVersion(), platform, postgres });
  for (const name of KEPT_FILES) {
    const text = await readFile(join(dataDirectory, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    if (text !== undefined) yield textEntry(name, text);
  }
  yield { path: 'cluster', size: undefined, read: async function* () {} };
  for await (const entry of cluster) yield { ...entry, path: `cluster/${entry.path}` };
}
