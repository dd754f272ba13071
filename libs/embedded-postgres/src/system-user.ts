import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createError, runProgram, type SystemUser } from './command.js';
import type { PostgresLog } from './server-log.js';

export const isRoot = (): boolean => process.geteuid?.() === 0;

/**
 * Returns the system user to run PostgreSQL as, or undefined for the current user.
 * @param owner Owner of an existing database, who remains the owner even if the image's user IDs change.
 */
export async function selectUser(
  owner: { uid: number; gid: number } | undefined,
  log: PostgresLog,
): Promise<SystemUser | undefined> {
  if (!isRoot()) return undefined;
  const users = await readUsers();
  if (owner !== undefined && owner.uid !== 0) {
    return { uid: owner.uid, gid: owner.gid, name: users.find(({ uid }) => uid === owner.uid)?.name ?? `${owner.uid}` };
  }
  const findUser = (candidates: SystemUser[], ...names: string[]) =>
    candidates.find(({ name, uid }) => names.includes(name) && uid > 0);
  const user = findUser(users, 'postgres', '_postgres') ?? (await createUser(log)) ?? findUser(users, 'nobody');
  if (user) return user;
  throw createError(
    'PostgreSQL can\'t run as root, and the user "postgres" or "nobody" doesn\'t exist. Start Agent Traffic as another user, or create one with "useradd --system postgres".',
  );
}

async function createUser(log: PostgresLog): Promise<SystemUser | undefined> {
  const commands: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']],
    ['adduser', ['--system', '--group', '--no-create-home', 'postgres']],
  ];
  for (const [program, args] of commands) {
    try {
      await runProgram('Creating the user "postgres" failed', `/usr/sbin/${program}`, args);
      const user = (await readUsers()).find(({ name }) => name === 'postgres');
      if (user) {
        log.info({ uid: user.uid }, 'created the system user "postgres" because PostgreSQL can\'t run as root');
        return user;
      }
    } catch (error) {
      log.debug({ err: error }, `${program} failed`);
    }
  }
  return undefined;
}

async function readUsers(): Promise<SystemUser[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name = '', , uid = '', gid = ''] = line.split(':');
    return name === '' || uid === '' ? [] : [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

const EXECUTE_BIT = 1;
const READ_BIT = 4;

/**
 * Returns the first folder on a path, including `path` itself, that the user can't access. Ignores access control
 * lists.
 */
export async function findInaccessibleFolder(path: string, user: SystemUser | undefined): Promise<string | undefined> {
  if (user === undefined) return undefined;
  for (const folder of listAncestors(await realpath(path))) {
    if (!(await hasPermission(folder, user, EXECUTE_BIT))) return folder;
  }
  return undefined;
}

/** Returns whether the user can read the file and also execute it if it is executable. */
export async function canUseFile(path: string, user: SystemUser | undefined): Promise<boolean> {
  if (user === undefined) return true;
  if ((await findInaccessibleFolder(dirname(path), user)) !== undefined) return false;
  const { mode } = await stat(path);
  return hasPermission(path, user, (mode & 0o100) === 0 ? READ_BIT : READ_BIT | EXECUTE_BIT);
}

function listAncestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...listAncestors(parent), path];
}

async function hasPermission(path: string, { uid, gid }: SystemUser, requiredBits: number): Promise<boolean> {
  const { mode, uid: owner, gid: group } = await stat(path);
  const permissionBits = owner === uid ? mode >> 6 : group === gid ? mode >> 3 : mode;
  return (permissionBits & requiredBits) === requiredBits;
}
