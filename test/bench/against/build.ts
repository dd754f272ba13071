/** Builds other commits to compare with ours. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { kill } from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
/** PostgreSQL runs as another user, which needs access to the builds. */
const MODE = 0o755;

export interface Build {
  name: string;
  /** Folder of the repository. */
  root: string;
  /** Environment variables in addition to those of both builds. */
  env?: Readonly<Record<string, string>>;
}

/** Build of the working tree, including uncommitted changes. */
export const OURS: Build = { name: 'ours', root: ROOT };

/**
 * Builds a commit in a Git worktree, which stays in the temporary folder for the next run.
 *
 * @param commit any Git revision.
 * @throws Error if the commit doesn't exist or can't be built.
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
      // `npm ci` also runs the build.
      await npm(unfinished, 'ci', '--no-audit', '--no-fund');
    }
    // Another run may have finished first.
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

/** Returns the folder for all builds. Nobody else may have write access, because its content is executed. */
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

/** Removes the worktrees of runs that were stopped during a build. */
async function removeUnfinished(builds: string): Promise<void> {
  for (const name of await readdir(builds)) {
    const [, id] = /\.(\d+)$/.exec(name) ?? [];
    if (id !== undefined && !isRunning(Number(id))) await removeWorkTree(join(builds, name));
  }
  // Forgets worktrees whose folder was deleted.
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

/**
 * Returns true if a build exists with its packages. Relinks linked packages to ours, because those in another worktree
 * may have been changed or deleted.
 */
async function isUsable(root: string): Promise<boolean> {
  const packages = join(root, 'node_modules');
  const found = await lstat(packages).catch(() => null);
  if (found === null || !found.isSymbolicLink()) return found !== null;
  if (!(await hasOurPackages(root))) return false;
  await rm(packages);
  await symlink(join(ROOT, 'node_modules'), packages);
  return true;
}

/** Compares lock files, ignoring `resolved`, which older ones don't have. */
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
  // With `NODE_ENV=test`, the dashboard would be built for development and be too large.
  const { NODE_ENV: _, ...env } = process.env;
  const [code] = await once(spawn('npm', args, { cwd: folder, env, stdio: ['ignore', 2, 2] }), 'exit');
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code} in ${folder}`);
}
