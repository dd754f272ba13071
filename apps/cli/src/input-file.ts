import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CliError, EXIT } from './cli-error.js';

/** Reads a text file, or standard input for `-`. */
export async function readInput(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new CliError(`Can't read ${file}: ${(error as Error).message}`, { exitCode: EXIT.usage, cause: error });
  }
}

/** Reads a JSON file, or standard input for `-`. */
export async function readJson(file: string): Promise<unknown> {
  const content = await readInput(file);
  try {
    // Some Windows editors write a byte order mark.
    return JSON.parse(content.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new CliError(`${file} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
