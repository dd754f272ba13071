import { createHash } from 'node:crypto';
import { chmod, mkdir, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failure, type SystemUser } from './command.js';
import { readText } from './files.js';
import type { PostgresLog } from './server-log.js';
import { stopOrphan } from './orphan.js';
import { chooseUser, firstClosedFolder, isRoot } from './system-user.js';

const ELSEWHERE = '/var/lib/agent-traffic';

/** Location of the cluster and, if needed, of a copy of the programs. */
export interface Home {
  /** Path with symlinks resolved. Contains the cluster in `postgres`. */
  path: string;
  /** User that PostgreSQL runs as, or undefined for the current user. */
  user: SystemUser | undefined;
}

/**
 * Returns the home of a `DATA_DIR`, which is usually that folder itself. If we are root and PostgreSQL's user can't
 * enter it (below /root, for example), uses a separate folder. The file `DATA_DIR/postgres.location` then points to the
 * cluster in that folder.
 */
export async function findHome(dataDirectory: string, log: PostgresLog): Promise<Home> {
  const real = await realpath(dataDirectory);
  const locationFile = join(real, 'postgres.location');
  const location = await readText(locationFile);
  if (location !== '') return homeElsewhere(dirname(location), real, locationFile, log);

  const cluster = join(real, 'postgres');
  const user = await userFor(cluster, log);
  const closed = await firstClosedFolder(real, user);
  if (closed === undefined) return { path: real, user };
  if ((await ownerOf(cluster)) !== undefined) {
    throw failure(
      `The user ${user?.name}, who owns the database in ${cluster}, can't enter ${closed}. Allow it with "chmod o+x ${closed}", or start Agent Traffic as that user.`,
    );
  }
  const path = join(ELSEWHERE, createHash('sha256').update(real).digest('hex').slice(0, 16));
  try {
    await setAside(path, log);
    await mkdir(path, { recursive: true });
    for (const folder of [ELSEWHERE, path]) await chmod(folder, 0o755);
    await writeFile(join(path, 'data-directory'), `${real}\n`);
    await writeFile(locationFile, `${join(path, 'postgres')}\n`);
  } catch (error) {
    throw failure(
      `PostgreSQL refuses to run as root, the user ${user?.name} can't enter ${closed}, and ${path} can't be used instead (${(error as Error).message}). Set DATA_DIR to a folder that every user can enter.`,
      [],
      error,
    );
  }
  log.info({ folder: path }, `the database is kept in ${path}, as the user ${user?.name} can't enter ${closed}`);
  return { path, user };
}

/** Returns the cluster folder of a `DATA_DIR`, even if it does not exist. Has no side effects. */
export async function clusterOf(dataDirectory: string): Promise<string> {
  const real = await realpath(dataDirectory);
  return (await readText(join(real, 'postgres.location'))) || join(real, 'postgres');
}

async function homeElsewhere(path: string, real: string, locationFile: string, log: PostgresLog): Promise<Home> {
  if ((await ownerOf(path)) === undefined) {
    throw failure(
      `The database is gone: ${locationFile} says that it is in ${path}, which does not exist. Bring it back, or delete ${locationFile} to begin with an empty one.`,
    );
  }
  const note = join(path, 'data-directory');
  const noted = await readText(note);
  if (noted !== real) {
    // If `DATA_DIR` was copied rather than moved, two instances would share a cluster and stop each other's server.
    const other = await readText(join(noted, 'postgres.location')).catch(() => '');
    if (noted !== '' && dirname(other) === path) {
      throw failure(
        `${real} is a copy of ${noted}, which still uses the database in ${path}. Delete ${locationFile} to begin with an empty one here.`,
      );
    }
    await writeFile(note, `${real}\n`);
  }
  log.info({ folder: path }, `the database is kept in ${path}`);
  return { path, user: await userFor(join(path, 'postgres'), log) };
}

/** Renames the folder of a `DATA_DIR` that was deleted, so that its visits are kept. */
async function setAside(path: string, log: PostgresLog): Promise<void> {
  const cluster = join(path, 'postgres');
  if ((await ownerOf(cluster)) === undefined) return;
  await stopOrphan(cluster, log);
  const aside = `${path}.until-${new Date().toISOString().replaceAll(':', '')}`;
  await rename(path, aside);
  log.warn({ folder: aside }, `kept the database of an earlier DATA_DIR in ${aside}; delete it if it is not needed`);
}

async function userFor(cluster: string, log: PostgresLog): Promise<SystemUser | undefined> {
  const owner = await ownerOf(cluster);
  if (owner !== undefined && !isRoot() && process.geteuid !== undefined && owner.uid !== process.geteuid()) {
    throw failure(
      `The database in ${cluster} belongs to another user (${owner.uid}). Start Agent Traffic as the user it was started as before, or give the data to this one with "chown -R ${process.geteuid()} ${dirname(cluster)}" as root.`,
    );
  }
  return chooseUser(owner, log);
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
