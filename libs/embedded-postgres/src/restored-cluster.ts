import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UNFINISHED } from './cluster.js';
import { failure } from './command.js';
import { readText } from './files.js';
import { findHome } from './home.js';
import type { PostgresLog } from './server-log.js';

/**
 * Restores a cluster to where the instance on `DATA_DIR` expects it, completely or not at all. The next start makes it
 * consistent with the write-ahead log in the backup.
 *
 * @param dataDirectory `DATA_DIR`, without a cluster. The caller must hold its instance lock.
 * @param unpack Fills an empty folder: the entries of {@link baseBackup} go into its subfolder `cluster`, anything else
 *   next to it.
 * @param beforeIt Called with that folder after unpacking, right before the cluster is moved into place.
 * @returns Folder of the cluster.
 * @throws Error if the backup is incomplete.
 */
export async function restoreCluster(
  dataDirectory: string,
  log: PostgresLog,
  unpack: (folder: string) => Promise<void>,
  beforeIt: (folder: string) => Promise<void>,
): Promise<string> {
  const home = await findHome(dataDirectory, log);
  const folder = await mkdtemp(join(home.path, UNFINISHED));
  try {
    await unpack(folder);
    const unfinished = join(folder, 'cluster');
    if ((await readText(join(unfinished, 'backup_label'))) === '') {
      throw failure('This backup has no end: it was not written whole. Use another one.');
    }
    await chmod(unfinished, 0o700);
    await beforeIt(folder);
    const cluster = join(home.path, 'postgres');
    await rename(unfinished, cluster);
    return cluster;
  } finally {
    // Deletion is retried: after a failure, pending writes may still create files in the folder.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
