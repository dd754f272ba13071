import { randomBytes } from 'node:crypto';
import { chmod, chown, lchown, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import { createError, runProgram, type SystemUser } from './command.js';
import { readTrimmedText } from './files.js';
import type { PostgresLog } from './server-log.js';
import type { Home } from './home.js';

/** Name of the database and the role that owns it. */
export const DATABASE_NAME = 'agent_traffic';

/** Name prefix of temporary folders. If a process is killed, the next start deletes its leftovers. */
export const TEMPORARY_FOLDER_PREFIX = 'postgres.unfinished-';

/**
 * Creates the cluster if it doesn't exist. Otherwise, checks its PostgreSQL version and fixes its owner and
 * permissions.
 * @returns The `agent_traffic` role's password, which is stored in `passwordFile`.
 */
export async function prepareCluster(
  { path: home, user }: Home,
  binaries: Binaries,
  passwordFile: string,
  log: PostgresLog,
): Promise<string> {
  for (const name of await readdir(home)) {
    // Retries the deletion because initdb may still be writing after its parent process was killed.
    if (name.startsWith(TEMPORARY_FOLDER_PREFIX))
      await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const cluster = join(home, 'postgres');
  const storedPassword = await readTrimmedText(passwordFile);
  const password = storedPassword || randomBytes(24).toString('base64url');
  if (!(await hasEntries(cluster))) {
    // Write the password before creating the cluster, so there is always a password for an existing cluster, even after
    // a crash.
    if (!storedPassword) await writePassword(passwordFile, password);
    log.info({ folder: cluster }, 'creating the database');
    await initialize(home, cluster, binaries, user, password);
    return password;
  }
  await checkVersion(cluster, binaries, user);
  await fixOwnership(cluster, user);
  if (!storedPassword) {
    log.warn({ file: passwordFile }, 'the database password file is missing; setting a new password');
    await runStatement(cluster, binaries, user, `ALTER ROLE ${DATABASE_NAME} PASSWORD '${password}'`);
    await writePassword(passwordFile, password);
  }
  return password;
}

async function initialize(
  home: string,
  cluster: string,
  binaries: Binaries,
  user: SystemUser | undefined,
  password: string,
): Promise<void> {
  const folder = await mkdtemp(join(home, TEMPORARY_FOLDER_PREFIX));
  try {
    const passwordFile = join(folder, 'password');
    const temporaryCluster = join(folder, 'cluster');
    await mkdir(temporaryCluster, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user) for (const path of [folder, temporaryCluster, passwordFile]) await chown(path, user.uid, user.gid);
    await runProgram(
      "The database couldn't be created",
      binaries.initdb,
      [
        '-D',
        temporaryCluster,
        '-U',
        DATABASE_NAME,
        '--pwfile',
        passwordFile,
        '--auth',
        'scram-sha-256',
        '--encoding',
        'UTF8',
      ].concat(
        // Sort by code point, regardless of the system's C library. Case mapping follows Unicode.
        ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--no-instructions'],
      ),
      { user },
    );
    await runStatement(temporaryCluster, binaries, user, `CREATE DATABASE ${DATABASE_NAME}`);
    await rename(temporaryCluster, cluster);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs an SQL statement in single-user mode. The server must not be running. */
async function runStatement(cluster: string, { postgres }: Binaries, user: SystemUser | undefined, sql: string) {
  const purpose = "The database couldn't be set up";
  const output = await runProgram(purpose, postgres, ['--single', '-D', cluster, 'postgres'], {
    user,
    input: `${sql}\n`,
  });
  // Single-user mode exits with code 0 even if the statement fails.
  if (/^(.* )?(ERROR|FATAL|PANIC): /m.test(output))
    throw createError(`${purpose}. The last log lines follow.`, output.split('\n'));
}

async function checkVersion(cluster: string, { postgres }: Binaries, user: SystemUser | undefined): Promise<void> {
  const clusterVersion = await readTrimmedText(join(cluster, 'PG_VERSION'));
  if (clusterVersion === '') {
    throw createError(
      `${cluster} contains files but no database. Move them elsewhere, or set DATA_DIR to another folder.`,
    );
  }
  const output = await runProgram("PostgreSQL can't run", postgres, ['--version'], { user });
  const installedVersion = /\d+/.exec(output)?.[0];
  if (clusterVersion !== installedVersion) {
    throw createError(
      `The database in ${cluster} was created by PostgreSQL ${clusterVersion}, but this release includes PostgreSQL ${installedVersion}, which can't read it. Start the earlier release and move the data with pg_dump, or set DATA_DIR to a new folder.`,
    );
  }
}

/**
 * PostgreSQL rejects a cluster that has the wrong owner or that other users can access, for example because root
 * restored it from a backup.
 */
async function fixOwnership(cluster: string, user: SystemUser | undefined): Promise<void> {
  const { uid, mode } = await stat(cluster);
  if (user && uid !== user.uid) {
    for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
      await lchown(join(entry.parentPath, entry.name), user.uid, user.gid);
    }
    // Change the folder's owner last, so an interrupted run is repeated.
    await chown(cluster, user.uid, user.gid);
  }
  if ((mode & 0o027) !== 0) await chmod(cluster, 0o700);
}

async function writePassword(file: string, password: string): Promise<void> {
  await writeFile(`${file}.new`, `${password}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function hasEntries(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
