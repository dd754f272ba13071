import { readFile } from 'node:fs/promises';

/** The text in a file without the white space around it; empty if there is no such file. */
export async function readText(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
