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
/** Permissions of the builds, which PostgreSQL accesses as a different user. */
const MODE = 0o755;

export interface Build {
  name: string;
  /** Repository folder. */
  root: string;
  /** Environment variables for this build, in addition to the shared ones. */
  env?: Readonly<Record<string, string>>;
}

/** Working tree, including uncommitted changes. */
export const OUR_BUILD: Build = { name: 'ours', root: ROOT };

/**
 * Builds a commit in a Git worktree. The worktree remains in the temporary folder for the next run.
 *
 * @param commit Any Git revision.
 * @throws {Error} if the commit doesn't exist or can't be built
 */
export async function ensureBuild(commit: string): Promise<Build> {
  const id = await resolveCommit(commit);
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
    // Keep the build of another run if one has finished in the meantime.
    if (!(await exists(build.root))) await git('worktree', 'move', unfinished, build.root);
  } finally {
    await removeWorkTree(unfinished);
  }
  return build;
}

async function resolveCommit(commit: string): Promise<string> {
  const found = await git('rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`).catch(() => '');
  if (found === '') throw new Error(`Commit "${commit}" does not exist in this repository.`);
  return found.trim();
}

/** Returns the folder for all builds. Only its owner may have write access, because its contents are executed. */
async function buildsFolder(): Promise<string> {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `agent-traffic-builds-${uid}`);
  await mkdir(folder, { recursive: true, mode: MODE });
  const found = await stat(folder);
  if (process.getuid !== undefined && (found.uid !== uid || (found.mode & 0o022) !== 0)) {
    throw new Error(`${folder} must belong to you and be writable only by you. Delete it and try again.`);
  }
  return folder;
}

/** Removes the worktrees of runs that were interrupted during a build. */
async function removeUnfinished(builds: string): Promise<void> {
  for (const name of await readdir(builds)) {
    const [, id] = /\.(\d+)$/.exec(name) ?? [];
    if (id !== undefined && !isRunning(Number(id))) await removeWorkTree(join(builds, name));
  }
  // Forget worktrees whose folder was deleted.
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
 * Returns true if a build exists along with its packages. If the packages are linked, links them to ours again, because
 * a different worktree's packages may have been changed or deleted.
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

/** Compares lock files. Ignores `resolved`, which older lock files don't contain. */
async function hasOurPackages(root: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all(
    [root, ROOT].map(async (folder) =>
      (await readFile(join(folder, 'package-lock.json'), 'utf8')).replace(/^ *"resolved": .*\n/gm, ''),
    ),
  );
  return theirs === ours;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const git = async (...args: string[]): Promise<string> => (await run('git', args, { cwd: ROOT })).stdout;

async function npm(folder: string, ...args: string[]): Promise<void> {
  // With `NODE_ENV=test`, the dashboard would be built for development and become too large.
  const { NODE_ENV: _, ...env } = process.env;
  const [code] = await once(spawn('npm', args, { cwd: folder, env, stdio: ['ignore', 2, 2] }), 'exit');
  if (code !== 0) throw new Error(`npm ${args.join(' ')} exited with ${code} in ${folder}`);
}
