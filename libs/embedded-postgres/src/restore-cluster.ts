import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TEMPORARY_FOLDER_PREFIX } from './cluster.js';
import { createError } from './command.js';
import { readTrimmedText } from './files.js';
import { findHome } from './home.js';
import type { PostgresLog } from './server-log.js';

/**
 * Restores a cluster to the folder that the instance on `DATA_DIR` uses. If anything fails, nothing is restored. On the
 * next start, PostgreSQL replays the backup's write-ahead log.
 *
 * @param dataDirectory The `DATA_DIR` folder, without a cluster. The caller must hold its instance lock.
 * @param unpack Fills an empty folder. Entries from {@link baseBackup} go into its `cluster` subfolder, and other files
 *   next to it.
 * @param beforeMove Receives that folder after unpacking, just before the cluster is moved into place.
 * @returns Path of the cluster folder.
 * @throws {Error} if the backup is incomplete.
 */
export async function restoreCluster(
  dataDirectory: string,
  log: PostgresLog,
  unpack: (folder: string) => Promise<void>,
  beforeMove: (folder: string) => Promise<void>,
): Promise<string> {
  const home = await findHome(dataDirectory, log);
  const folder = await mkdtemp(join(home.path, TEMPORARY_FOLDER_PREFIX));
  try {
    await unpack(folder);
    const temporaryCluster = join(folder, 'cluster');
    if ((await readTrimmedText(join(temporaryCluster, 'backup_label'))) === '') {
      throw createError('This backup is incomplete: it has no backup_label. Use another backup.');
    }
    await chmod(temporaryCluster, 0o700);
    await beforeMove(folder);
    const cluster = join(home.path, 'postgres');
    await rename(temporaryCluster, cluster);
    return cluster;
  } finally {
    // Retries the deletion because pending writes may still create files after a failure.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
