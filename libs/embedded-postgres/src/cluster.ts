import { randomBytes } from 'node:crypto';
import { chmod, chown, lchown, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import { failure, run, type SystemUser } from './command.js';
import { readText } from './files.js';
import type { PostgresLog } from './server-log.js';
import type { Home } from './home.js';

/** Name of the database and of its owner. */
export const NAME = 'agent_traffic';

/** Name prefix of temporary folders. A killed process may leave some behind, which the next start deletes. */
export const UNFINISHED = 'postgres.unfinished-';

/**
 * Creates the cluster if it doesn't exist. Otherwise checks its PostgreSQL version and fixes its owner and permissions.
 * @returns Password of the `agent_traffic` role, stored in `passwordFile`.
 */
export async function prepareCluster(
  { path: home, user }: Home,
  binaries: Binaries,
  passwordFile: string,
  log: PostgresLog,
): Promise<string> {
  for (const name of await readdir(home)) {
    // Deletion is retried: the initdb of a killed process may still be writing to the folder.
    if (name.startsWith(UNFINISHED)) await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const cluster = join(home, 'postgres');
  const kept = await readText(passwordFile);
  const password = kept || randomBytes(24).toString('base64url');
  if (!(await hasEntries(cluster))) {
    // Written first, so a crash can't leave a cluster without its password.
    if (!kept) await writePassword(passwordFile, password);
    log.info({ folder: cluster }, 'making the database');
    await initialize(home, cluster, binaries, user, password);
    return password;
  }
  await checkVersion(cluster, binaries, user);
  await takeOwnership(cluster, user);
  if (!kept) {
    log.warn({ file: passwordFile }, "the database's password file is gone; setting a new password");
    await runStatement(cluster, binaries, user, `ALTER ROLE ${NAME} PASSWORD '${password}'`);
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
  const folder = await mkdtemp(join(home, UNFINISHED));
  try {
    const passwordFile = join(folder, 'password');
    const unfinished = join(folder, 'cluster');
    await mkdir(unfinished, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user) for (const path of [folder, unfinished, passwordFile]) await chown(path, user.uid, user.gid);
    await run(
      'The database could not be created',
      binaries.initdb,
      ['-D', unfinished, '-U', NAME, '--pwfile', passwordFile, '--auth', 'scram-sha-256', '--encoding', 'UTF8'].concat(
        // Sorts by code point, independent of the system's C library. Upper and lower case follow Unicode.
        ['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--no-instructions'],
      ),
      { user },
    );
    await runStatement(unfinished, binaries, user, `CREATE DATABASE ${NAME}`);
    await rename(unfinished, cluster);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs one statement in single-user mode. The server must not be running. */
async function runStatement(cluster: string, { postgres }: Binaries, user: SystemUser | undefined, sql: string) {
  const purpose = 'The database could not be set up';
  const output = await run(purpose, postgres, ['--single', '-D', cluster, 'postgres'], { user, input: `${sql}\n` });
  // Single-user mode exits with code 0 even if the statement failed.
  if (/^(.* )?(ERROR|FATAL|PANIC): /m.test(output))
    throw failure(`${purpose}. Its last log lines follow.`, output.split('\n'));
}

async function checkVersion(cluster: string, { postgres }: Binaries, user: SystemUser | undefined): Promise<void> {
  const found = await readText(join(cluster, 'PG_VERSION'));
  if (found === '') {
    throw failure(`${cluster} holds files but no database. Move them away, or set DATA_DIR to another folder.`);
  }
  const output = await run('PostgreSQL does not run', postgres, ['--version'], { user });
  const ours = /\d+/.exec(output)?.[0];
  if (found !== ours) {
    throw failure(
      `The database in ${cluster} was made by PostgreSQL ${found}, and this release brings PostgreSQL ${ours}, which can't read it. Start the release that made it and copy its data over with pg_dump, or set DATA_DIR to a new folder.`,
    );
  }
}

/**
 * Fixes the owner and permissions of a cluster that root restored from a backup. PostgreSQL rejects a cluster that
 * others can access.
 */
async function takeOwnership(cluster: string, user: SystemUser | undefined): Promise<void> {
  const { uid, mode } = await stat(cluster);
  if (user && uid !== user.uid) {
    for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
      await lchown(join(entry.parentPath, entry.name), user.uid, user.gid);
    }
    // Done last, so that an interrupted run is repeated.
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
