import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UNFINISHED } from './cluster.js';
import { failure } from './command.js';
import { readText } from './files.js';
import { findHome } from './home.js';
import type { PostgresLog } from './server-log.js';

/**
 * Puts a cluster where the instance on `DATA_DIR` will look for it, whole or not at all. The next start makes it
 * consistent from the log that came with it.
 *
 * @param dataDirectory `DATA_DIR`, without a cluster; the caller holds its instance lock.
 * @param unpack fills an empty folder: its subfolder `cluster` with the entries of {@link baseBackup}, anything else beside it.
 * @param beforeIt is done with that folder once all is there, right before the cluster is in its place.
 * @returns the folder of the cluster.
 * @throws Error when the backup is not whole.
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
    // Where unpacking failed, files of before may still be made in it, hence the retries.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
