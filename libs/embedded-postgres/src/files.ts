import { chmod, mkdir, readFile } from 'node:fs/promises';

/** Returns the trimmed text of a file, or an empty string if the file doesn't exist. */
export async function readTrimmedText(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/**
 * Creates the data directory. If this process runs as root, other users can traverse the directory, because PostgreSQL
 * runs as one of them. Secret files in it have their own permissions.
 */
export async function createDataDirectory(path: string): Promise<void> {
  const created = await mkdir(path, { recursive: true });
  if (created !== undefined) await chmod(path, process.geteuid?.() === 0 ? 0o711 : 0o700);
}
