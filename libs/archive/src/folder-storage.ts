import { access, constants, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ConfigurationError } from '#libs/platform';
import type { ArchiveStorage } from './archive-storage.js';

/** Suffix of a file that is still being written, or was when the process crashed. */
const UNFINISHED = '.unfinished';

/** Returns null if the file or folder doesn't exist. */
const unlessMissing = <T>(operation: Promise<T>): Promise<T | null> =>
  operation.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

export class FolderStorage implements ArchiveStorage {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = resolve(folder);
  }

  async check(): Promise<void> {
    try {
      await createFolder(this.folder);
      await access(this.folder, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      throw new ConfigurationError(
        `ARCHIVE_URL: can't write to ${this.folder}: ${(error as Error).message}. Create the folder, and give the user that runs this process write access.`,
      );
    }
  }

  async list(prefix: string): Promise<Map<string, number>> {
    const folder = join(this.folder, prefix);
    const sizes = new Map<string, number>();
    const entries = (await unlessMissing(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
    for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
      const file = join(parentPath, name);
      const stats = await unlessMissing(stat(file));
      if (stats) sizes.set(relative(this.folder, file).replaceAll(sep, '/'), stats.size);
    }
    return sizes;
  }

  read(key: string): Promise<Uint8Array | null> {
    return unlessMissing(readFile(join(this.folder, key)));
  }

  async write(key: string, content: Uint8Array): Promise<void> {
    const file = join(this.folder, key);
    await createFolder(dirname(file));
    const handle = await open(`${file}${UNFINISHED}`, 'w', 0o640);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${file}${UNFINISHED}`, file);
    // An earlier attempt may have created the folders without syncing them.
    for (let path = file; path !== this.folder; path = dirname(path)) await syncFolder(dirname(path));
  }

  async delete(key: string): Promise<void> {
    await rm(join(this.folder, key), { force: true });
  }
}

/** Creates a folder and its parents, so that they survive a power failure. */
async function createFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let path = folder; path !== dirname(first); path = dirname(path)) await syncFolder(dirname(path));
}

/** Makes new and renamed entries of a folder survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
