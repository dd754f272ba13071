import { copyFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getClusterFormat, restoreCluster } from '#libs/embedded-postgres';
import { createLogger } from '#libs/platform';
import { acquireInstanceLock } from '../../../standalone/src/instance-lock.js';
import { CliError } from '../cli-error.js';
import { type Manifest, readManifest, unpackArchive } from './archive.js';
import type { ByteProgress } from './byte-progress.js';
import { SECRET_FILES } from './secret-files.js';

/** File with the location of the database. A failed restore may leave it behind. */
const LOCATION_FILE = 'postgres.location';

/** Restores a backup into an empty `DATA_DIR`. If it fails, no data is left behind. @returns the backup's manifest. */
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
      (folder) => copySecretFiles(folder, dataDirectory),
    );
    return manifest;
  } finally {
    await lock.release();
  }
}

async function requireFormat(file: string, { platform, postgres }: Manifest): Promise<void> {
  const localFormat = await getClusterFormat();
  if (localFormat.platform === platform && localFormat.version === postgres) return;
  throw new CliError(
    `${file} was created on ${platform} with PostgreSQL ${postgres}, but this is ${localFormat.platform} with PostgreSQL ${localFormat.version}.`,
    { hint: 'Restore it on the same platform, with the release that created it.' },
  );
}

async function requireEmpty(dataDirectory: string): Promise<void> {
  const names = (await readdir(dataDirectory)).filter(
    (name) => !name.startsWith('instance.') && name !== LOCATION_FILE,
  );
  if (names.length === 0) return;
  throw new CliError(`The folder ${dataDirectory} is not empty (it contains ${names[0]}).`, {
    hint: 'Move its content elsewhere, or set DATA_DIR to a new folder.',
  });
}

async function copySecretFiles(from: string, dataDirectory: string): Promise<void> {
  const names = new Set(await readdir(from));
  // `copyFile` preserves mode 0600.
  for (const name of SECRET_FILES) if (names.has(name)) await copyFile(join(from, name), join(dataDirectory, name));
}
