import { createHash } from 'node:crypto';
import { chmod, mkdir, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createError, type SystemUser } from './command.js';
import { readTrimmedText } from './files.js';
import type { PostgresLog } from './server-log.js';
import { stopOrphan } from './orphan.js';
import { selectUser, findInaccessibleFolder, isRoot } from './system-user.js';

const SEPARATE_HOMES_FOLDER = '/var/lib/agent-traffic';

/** Folder that contains the cluster and, if needed, a copy of the PostgreSQL programs. */
export interface Home {
  /** Path with symlinks resolved. The cluster is in its `postgres` subfolder. */
  path: string;
  /** System user to run PostgreSQL as. Undefined means the current user. */
  user: SystemUser | undefined;
}

/**
 * Returns the home of a `DATA_DIR`, which is usually that folder itself.
 *
 * If this process runs as root and the PostgreSQL user can't access the folder (e.g. under /root), the home is a
 * separate folder. `DATA_DIR/postgres.location` then contains the cluster's path.
 */
export async function findHome(dataDirectory: string, log: PostgresLog): Promise<Home> {
  const realDataDirectory = await realpath(dataDirectory);
  const locationFile = join(realDataDirectory, 'postgres.location');
  const location = await readTrimmedText(locationFile);
  if (location !== '') return openSeparateHome(dirname(location), realDataDirectory, locationFile, log);

  const cluster = join(realDataDirectory, 'postgres');
  const user = await getPostgresUser(cluster, log);
  const inaccessibleFolder = await findInaccessibleFolder(realDataDirectory, user);
  if (inaccessibleFolder === undefined) return { path: realDataDirectory, user };
  if ((await getOwner(cluster)) !== undefined) {
    throw createError(
      `The user ${user?.name} owns the database in ${cluster} but can't access ${inaccessibleFolder}. Run "chmod o+x ${inaccessibleFolder}", or start Agent Traffic as that user.`,
    );
  }
  const path = join(SEPARATE_HOMES_FOLDER, createHash('sha256').update(realDataDirectory).digest('hex').slice(0, 16));
  try {
    await preserveOldHome(path, log);
    await mkdir(path, { recursive: true });
    for (const folder of [SEPARATE_HOMES_FOLDER, path]) await chmod(folder, 0o755);
    await writeFile(join(path, 'data-directory'), `${realDataDirectory}\n`);
    await writeFile(locationFile, `${join(path, 'postgres')}\n`);
  } catch (error) {
    throw createError(
      `PostgreSQL can't run as root, the user ${user?.name} can't access ${inaccessibleFolder}, and ${path} can't be used instead (${(error as Error).message}). Set DATA_DIR to a folder that every user can access.`,
      [],
      error,
    );
  }
  log.info(
    { folder: path },
    `the database is stored in ${path} because the user ${user?.name} can't access ${inaccessibleFolder}`,
  );
  return { path, user };
}

/** Returns the path of a `DATA_DIR`'s cluster folder, even if the cluster doesn't exist. Has no side effects. */
export async function getClusterFolder(dataDirectory: string): Promise<string> {
  const realDataDirectory = await realpath(dataDirectory);
  return (await readTrimmedText(join(realDataDirectory, 'postgres.location'))) || join(realDataDirectory, 'postgres');
}

async function openSeparateHome(
  path: string,
  realDataDirectory: string,
  locationFile: string,
  log: PostgresLog,
): Promise<Home> {
  if ((await getOwner(path)) === undefined) {
    throw createError(
      `The database is missing: ${locationFile} points to ${path}, which doesn't exist. Restore that folder, or delete ${locationFile} to start with an empty database.`,
    );
  }
  const dataDirectoryFile = join(path, 'data-directory');
  const recordedDataDirectory = await readTrimmedText(dataDirectoryFile);
  if (recordedDataDirectory !== realDataDirectory) {
    // If `DATA_DIR` was copied instead of moved, the copy must not use the original's database. Otherwise, the two
    // instances would stop each other's servers.
    const otherCluster = await readTrimmedText(join(recordedDataDirectory, 'postgres.location')).catch(() => '');
    if (recordedDataDirectory !== '' && dirname(otherCluster) === path) {
      throw createError(
        `${realDataDirectory} is a copy of ${recordedDataDirectory}, which still uses the database in ${path}. Delete ${locationFile} to start with an empty database.`,
      );
    }
    await writeFile(dataDirectoryFile, `${realDataDirectory}\n`);
  }
  log.info({ folder: path }, `the database is stored in ${path}`);
  return { path, user: await getPostgresUser(join(path, 'postgres'), log) };
}

/** Preserves the database of a deleted `DATA_DIR` by renaming its folder. */
async function preserveOldHome(path: string, log: PostgresLog): Promise<void> {
  const cluster = join(path, 'postgres');
  if ((await getOwner(cluster)) === undefined) return;
  await stopOrphan(cluster, log);
  const preservedPath = `${path}.until-${new Date().toISOString().replaceAll(':', '')}`;
  await rename(path, preservedPath);
  log.warn(
    { folder: preservedPath },
    `preserved the database of a deleted DATA_DIR in ${preservedPath}; delete it if you don't need it`,
  );
}

async function getPostgresUser(cluster: string, log: PostgresLog): Promise<SystemUser | undefined> {
  const owner = await getOwner(cluster);
  if (owner !== undefined && !isRoot() && process.geteuid !== undefined && owner.uid !== process.geteuid()) {
    throw createError(
      `The database in ${cluster} belongs to another user (${owner.uid}). Start Agent Traffic as that user, or run "chown -R ${process.geteuid()} ${dirname(cluster)}" as root.`,
    );
  }
  return selectUser(owner, log);
}

async function getOwner(path: string): Promise<{ uid: number; gid: number } | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
