import { copyFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterFormat, restoreCluster } from '#libs/embedded-postgres';
import { createLogger } from '#libs/platform';
import { acquireInstanceLock } from '../../../standalone/src/instance-lock.js';
import { CliError } from '../cli-error.js';
import { type Manifest, readManifest, unpackArchive } from './archive.js';
import type { ByteProgress } from './byte-progress.js';
import { KEPT_FILES } from './kept-files.js';

/** Location of the database. A failed restore may leave this file behind. */
const LOCATION = 'postgres.location';

/** Restores a backup into an empty `DATA_DIR`, completely or not at all. @returns the backup's manifest. */
export async function runRestore(
  file: string,
  dataDirectory: string,
  progress: ByteProgress,
  signal: AbortSignal,
): Promise<Manifest> {
  const manifest = await readManifest(file);
  await requireFormat(file, manifest);
  const lock = await acquireInstanceLock(dataDirectory);
  try {
    await requireEmpty(dataDirectory);
    const log = createLogger({ service: 'restore', level: 'warn', pretty: true });
    progress.start((await stat(file)).size);
    await restoreCluster(
      dataDirectory,
      log,
      (folder) => unpackArchive(file, folder, { onBytes: progress.add, signal }),
      (folder) => moveKeptFiles(folder, dataDirectory),
    );
    return manifest;
  } finally {
    await lock.release();
  }
}

async function requireFormat(file: string, { platform, postgres }: Manifest): Promise<void> {
  const own = await clusterFormat();
  if (own.platform === platform && own.version === postgres) return;
  throw new CliError(
    `${file} was made on ${platform} with PostgreSQL ${postgres}; this is ${own.platform} with PostgreSQL ${own.version}.`,
    { hint: 'Restore it on such a machine with the release that made it.' },
  );
}

async function requireEmpty(dataDirectory: string): Promise<void> {
  const names = (await readdir(dataDirectory)).filter((name) => !name.startsWith('instance.') && name !== LOCATION);
  if (names.length === 0) return;
  throw new CliError(`The folder ${dataDirectory} is not empty (${names[0]}).`, {
    hint: 'Move it away, or set DATA_DIR to a new folder.',
  });
}

async function moveKeptFiles(from: string, dataDirectory: string): Promise<void> {
  const names = new Set(await readdir(from));
  // The copies keep mode 0600.
  for (const name of KEPT_FILES) if (names.has(name)) await copyFile(join(from, name), join(dataDirectory, name));
}
