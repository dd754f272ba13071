import { chmod, mkdir, readFile } from 'node:fs/promises';

/** The text in a file without the white space around it; empty if there is no such file. */
export async function readText(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** As root, PostgreSQL runs as another user, who has to pass through; the secrets in it are closed themselves. */
export async function createDataDirectory(path: string): Promise<void> {
  const created = await mkdir(path, { recursive: true });
  if (created !== undefined) await chmod(path, process.geteuid?.() === 0 ? 0o711 : 0o700);
}
