import { createWriteStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataSource } from '#libs/database';
import { baseBackup, getClusterFormat } from '#libs/embedded-postgres';
import { getProductVersion } from '#libs/platform';
import { openLocalDatabase, requireInstance } from '../local-database.js';
import { writeAtomically } from '../replace-file.js';
import { type ArchiveEntry, manifestEntry, textEntry, writeArchive } from './archive.js';
import type { ByteProgress } from './byte-progress.js';
import { SECRET_FILES } from './secret-files.js';

/**
 * Writes a consistent copy of an instance's data to a file, which only exists if the backup is complete. The instance
 * can be running. Otherwise, its database is started for the backup.
 *
 * @returns the file size in bytes.
 */
export async function runBackup(
  dataDirectory: string,
  file: string,
  progress: ByteProgress,
  signal: AbortSignal,
): Promise<number> {
  await requireInstance(dataDirectory);
  const source = await openLocalDatabase(dataDirectory, 'backup');
  // Use a single connection, because PostgreSQL ties a backup to the session that started it.
  const database = createDataSource({ url: source.url, poolSize: 1, applicationName: 'backup' });
  try {
    await database.initialize();
    const runner = database.createQueryRunner();
    const query = (sql: string): Promise<Record<string, unknown>[]> => runner.query(sql);
    const cluster = baseBackup(await realpath(source.cluster), query, progress.start);
    await writeAtomically(file, async (unfinished) => {
      const output = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
      await writeArchive(listEntries(dataDirectory, cluster), output, { onBytes: progress.add, signal });
    });
    return (await stat(file)).size;
  } finally {
    if (database.isInitialized) await database.destroy();
    await source.close();
  }
}

async function* listEntries(dataDirectory: string, cluster: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry> {
  const { platform, version: postgres } = await getClusterFormat();
  yield manifestEntry({ created_at: new Date().toISOString(), version: getProductVersion(), platform, postgres });
  for (const name of SECRET_FILES) {
    const text = await readFile(join(dataDirectory, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    if (text !== undefined) yield textEntry(name, text);
  }
  yield { path: 'cluster', size: undefined, read: async function* () {} };
  for await (const entry of cluster) yield { ...entry, path: `cluster/${entry.path}` };
}
