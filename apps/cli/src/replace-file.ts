import { randomUUID } from 'node:crypto';
import { chmod, chown, lstat, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError, EXIT } from './cli-error.js';

/** Result of writing a file. Files with the same content aren't touched. */
export type Replacement = 'new' | 'changed' | 'unchanged';

/**
 * Reads a file, or returns null if it doesn't exist.
 *
 * @throws {CliError} with exit code 2 if the file can't be read.
 */
export async function readIfExists(path: string): Promise<Buffer | null> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new Error('it is not a regular file');
    return await readFile(path);
  } catch (error) {
    if (!isMissing(error)) throw fileError('read', path, error);
  }
  if (await isSymbolicLink(path)) throw fileError('read', path, new Error('it is a broken symbolic link'));
  return null;
}

/**
 * Replaces a file atomically, so it contains either the old or the new content, even after a crash. Follows symbolic
 * links. Preserves the file's mode, and its owner if permitted.
 *
 * @throws {CliError} with exit code 2 if the file can't be written.
 */
export async function replaceFile(path: string, content: Buffer): Promise<Replacement> {
  const previous = await readIfExists(path);
  if (previous?.equals(content)) return 'unchanged';
  try {
    const target = previous === null ? path : await realpath(path);
    await writeAtomically(target, async (temporaryPath) => {
      await writeFile(temporaryPath, content, { flush: true, flag: 'wx' });
      if (previous === null) return;
      const { mode, uid, gid } = await stat(target);
      await chown(temporaryPath, uid, gid).catch(() => undefined);
      await chmod(temporaryPath, mode & 0o7777);
    });
  } catch (error) {
    throw error instanceof CliError ? error : fileError('write', path, error);
  }
  return previous === null ? 'new' : 'changed';
}

/**
 * Writes a file to a temporary path, then moves it to `path`, replacing any existing file.
 *
 * @param write Creates the file at the given path. Must fail if the path already exists, because other users may be able
 * to write to the folder.
 * @throws {CliError} with exit code 2 if the file can't be created, for example because the folder doesn't exist.
 */
export async function writeAtomically(path: string, write: (temporaryPath: string) => Promise<void>): Promise<void> {
  // Use the same folder, because a rename is only atomic within a file system.
  const temporaryPath = `${path}.${randomUUID()}.new`;
  try {
    await write(temporaryPath);
    await rename(temporaryPath, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).path !== temporaryPath) throw error;
    throw new CliError(`Can't write ${path}: ${writeFailure(error as NodeJS.ErrnoException, path)}`, {
      exitCode: EXIT.usage,
      cause: error,
    });
  } finally {
    await rm(temporaryPath, { force: true }).catch(() => undefined);
  }
}

/** Describes a failed system call without mentioning the temporary file. */
function writeFailure({ code, message }: NodeJS.ErrnoException, path: string): string {
  switch (code) {
    case 'ENOENT':
      return `the folder ${dirname(path)} doesn't exist.`;
    case 'ENOTDIR':
      return `${dirname(path)} isn't a folder.`;
    case 'EISDIR':
    case 'EEXIST':
    case 'ENOTEMPTY':
      return 'a folder has this name.';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `you aren't allowed to write to ${dirname(path)}.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full.';
    default:
      return `${message.split(',', 1)[0]}.`;
  }
}

async function isSymbolicLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

function fileError(what: 'read' | 'write', path: string, error: unknown): CliError {
  return new CliError(`Can't ${what} ${path}: ${(error as Error).message}`, { exitCode: EXIT.usage, cause: error });
}
