/** A commit, built beside ours. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { kill } from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
/** PostgreSQL runs as another user, who has to pass through. */
const MODE = 0o755;

export interface Build {
  /** As it is printed. */
  name: string;
  /** Folder of the repository. */
  root: string;
  /** Settings that it runs with, beside those of both. */
  env?: Readonly<Record<string, string>>;
}

/** What is built here, with what isn't committed. */
export const OURS: Build = { name: 'ours', root: ROOT };

/**
 * Builds a commit in a work tree, which stays in the temporary folder for the next run.
 *
 * @param commit anything that git takes for one.
 * @throws Error when there is no such commit, or it does not build.
 */
export async function buildOf(commit: string): Promise<Build> {
  const id = await idOf(commit);
  const builds = await buildsFolder();
  await removeUnfinished(builds);
  const build = { name: id.slice(0, 10), root: join(builds, id) };
  if (await isUsable(build.root)) return build;
  await removeWorkTree(build.root);
  const unfinished = `${build.root}.${process.pid}`;
  try {
    process.stderr.write(`building ${build.name} in ${build.root}\n`);
    await git('worktree', 'add', '--detach', unfinished, id);
    if (await hasOurPackages(unfinished)) {
      await symlink(join(ROOT, 'node_modules'), join(unfinished, 'node_modules'));
      await npm(unfinished, 'run', 'build');
    } else {
      // Builds, too.
      await npm(unfinished, 'ci', '--no-audit', '--no-fund');
    }
    // Another run may have been faster.
    if (!(await isThere(build.root))) await git('worktree', 'move', unfinished, build.root);
  } finally {
    await removeWorkTree(unfinished);
  }
  return build;
}

async function idOf(commit: string): Promise<string> {
  const found = await git('rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`).catch(() => '');
  if (found === '') throw new Error(`There is no commit "${commit}" in this repository.`);
  return found.trim();
}

/** Nobody else may write to it: what is in it is run. */
async function buildsFolder(): Promise<string> {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `agent-traffic-builds-${uid}`);
  await mkdir(folder, { recursive: true, mode: MODE });
  const found = await stat(folder);
  if (process.getuid !== undefined && (found.uid !== uid || (found.mode & 0o022) !== 0)) {
    throw new Error(`${folder} must belong to you, and only you may write to it. Remove it, then try again.`);
  }
  return folder;
}

/** Of runs that were ended while they built. */
async function removeUnfinished(builds: string): Promise<void> {
  for (const name of await readdir(builds)) {
    const [, id] = /\.(\d+)$/.exec(name) ?? [];
    if (id !== undefined && !isRunning(Number(id))) await removeWorkTree(join(builds, name));
  }
  // Those whose folder was deleted.
  await git('worktree', 'prune');
}

function isRunning(id: number): boolean {
  try {
    return kill(id, 0);
  } catch {
    return false;
  }
}

async function removeWorkTree(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await git('worktree', 'prune');
}

/** Whether it is there with its packages. Those of another work tree may have changed, or be gone: ours are linked anew. */
async function isUsable(root: string): Promise<boolean> {
  const packages = join(root, 'node_modules');
  const found = await lstat(packages).catch(() => null);
  if (found === null || !found.isSymbolicLink()) return found !== null;
  if (!(await hasOurPackages(root))) return false;
  await rm(packages);
  await symlink(join(ROOT, 'node_modules'), packages);
  return true;
}

/** An earlier lock file doesn't say where packages are fetched, only what they are. */
async function hasOurPackages(root: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all(
    [root, ROOT].map(async (folder) =>
      (await readFile(join(folder, 'package-lock.json'), 'utf8')).replace(/^ *"resolved": .*\n/gm, ''),
    ),
  );
  return theirs === ours;
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const git = async (...args: string[]): Promise<string> => (await run('git', args, { cwd: ROOT })).stdout;

async function npm(folder: string, ...args: string[]): Promise<void> {
  // That of a test makes the dashboard as it is for developing, which is too large.
  const { NODE_ENV: _, ...env } = process.env;
  const [code] = await once(spawn('npm', args, { cwd: folder, env, stdio: ['ignore', 2, 2] }), 'exit');
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code} in ${folder}`);
}
