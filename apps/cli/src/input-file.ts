import { readFile } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import { getSystemErrorMessage } from 'node:util';
import { CliError, EXIT } from './cli-error.js';

/**
 * Reads a text file, or standard input for `-`.
 *
 * @param option Name of the option that specifies the file.
 * @throws {CliError} with exit code 2 if the file can't be read.
 */
export const readInput = (file: string, option?: `--${string}`): Promise<string> =>
  describeErrors(file, option, () => (file === '-' ? text(process.stdin) : readFile(file, 'utf8')));

/** Like {@link readInput}, but returns the bytes. */
export const readInputBytes = (file: string): Promise<Buffer> =>
  describeErrors(file, undefined, () => (file === '-' ? buffer(process.stdin) : readFile(file)));

async function describeErrors<T>(file: string, option: string | undefined, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const { errno, message } = error as NodeJS.ErrnoException;
    const name = option === undefined ? file : `${option} ${file}`;
    const reason = errno === undefined ? message : getSystemErrorMessage(errno);
    throw new CliError(`Can't read ${name}: ${reason}`, { exitCode: EXIT.usage, cause: error });
  }
}

/** Reads a JSON file, or standard input for `-`. */
export async function readJson(file: string): Promise<unknown> {
  const content = await readInput(file);
  try {
    // Some Windows editors add a byte order mark.
    return JSON.parse(content.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new CliError(`${file} is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}
