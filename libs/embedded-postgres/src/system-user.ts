import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failure, run, type SystemUser } from './command.js';
import type { PostgresLog } from './server-log.js';

export const isRoot = (): boolean => process.geteuid?.() === 0;

/**
 * Returns the user to run PostgreSQL as, or undefined for the current user.
 * @param owner Owner of an existing database. It keeps this owner even if another image has different user IDs.
 */
export async function chooseUser(
  owner: { uid: number; gid: number } | undefined,
  log: PostgresLog,
): Promise<SystemUser | undefined> {
  if (!isRoot()) return undefined;
  const users = await readUsers();
  if (owner !== undefined && owner.uid !== 0) {
    return { uid: owner.uid, gid: owner.gid, name: users.find(({ uid }) => uid === owner.uid)?.name ?? `${owner.uid}` };
  }
  const named = (list: SystemUser[], ...names: string[]) =>
    list.find(({ name, uid }) => names.includes(name) && uid > 0);
  const user = named(users, 'postgres', '_postgres') ?? (await createUser(log)) ?? named(users, 'nobody');
  if (user) return user;
  throw failure(
    'PostgreSQL refuses to run as root, and there is no user "postgres" or "nobody" to run it as. Start Agent Traffic as another user, or create one with "useradd --system postgres".',
  );
}

async function createUser(log: PostgresLog): Promise<SystemUser | undefined> {
  const ways: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']],
    ['adduser', ['--system', '--group', '--no-create-home', 'postgres']],
  ];
  for (const [program, args] of ways) {
    try {
      await run('Creating the user "postgres" failed', `/usr/sbin/${program}`, args);
      const user = (await readUsers()).find(({ name }) => name === 'postgres');
      if (user) {
        log.info({ uid: user.uid }, 'created the system user "postgres", as PostgreSQL refuses to run as root');
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

const EXECUTE = 1;
const READ = 4;

/**
 * Returns the first folder on a path, up to and including `path`, that the user can't enter. Ignores access control
 * lists.
 */
export async function firstClosedFolder(path: string, user: SystemUser | undefined): Promise<string | undefined> {
  if (user === undefined) return undefined;
  for (const folder of foldersOnTheWay(await realpath(path))) {
    if (!(await isPermitted(folder, user, EXECUTE))) return folder;
  }
  return undefined;
}

/** Returns whether the user can read the file and, if it is executable, execute it. */
export async function canUseFile(path: string, user: SystemUser | undefined): Promise<boolean> {
  if (user === undefined) return true;
  if ((await firstClosedFolder(dirname(path), user)) !== undefined) return false;
  const { mode } = await stat(path);
  return isPermitted(path, user, (mode & 0o100) === 0 ? READ : READ | EXECUTE);
}

function foldersOnTheWay(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...foldersOnTheWay(parent), path];
}

async function isPermitted(path: string, { uid, gid }: SystemUser, wanted: number): Promise<boolean> {
  const { mode, uid: owner, gid: group } = await stat(path);
  const bits = owner === uid ? mode >> 6 : group === gid ? mode >> 3 : mode;
  return (bits & wanted) === wanted;
}
