import { randomUUID } from 'node:crypto';
import { chmod, chown, lstat, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError, EXIT } from './cli-error.js';

/** Result of writing a file. Unchanged files keep their modification time. */
export type Replacement = 'new' | 'changed' | 'unchanged';

/**
 * Reads a file, or returns null if it doesn't exist.
 *
 * @throws CliError with exit code 2 if the file can't be read.
 */
export async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw new Error('it is not a regular file');
    return await readFile(path);
  } catch (error) {
    if (!isMissing(error)) throw failed('read', path, error);
  }
  if (await isLink(path)) throw failed('read', path, new Error('it is a symbolic link that leads nowhere'));
  return null;
}

/**
 * Replaces a file atomically: even after a crash, it has either the old or the new content. Keeps its mode, and its
 * owner if permitted. Follows symbolic links.
 *
 * @throws CliError with exit code 2 if the file can't be written.
 */
export async function replaceFile(path: string, content: Buffer): Promise<Replacement> {
  const previous = await readIfThere(path);
  if (previous?.equals(content)) return 'unchanged';
  try {
    const target = previous === null ? path : await realpath(path);
    await writeWhole(target, async (unfinished) => {
      await writeFile(unfinished, content, { flush: true, flag: 'wx' });
      if (previous === null) return;
      const { mode, uid, gid } = await stat(target);
      await chown(unfinished, uid, gid).catch(() => undefined);
      await chmod(unfinished, mode & 0o7777);
    });
  } catch (error) {
    throw error instanceof CliError ? error : failed('write', path, error);
  }
  return previous === null ? 'new' : 'changed';
}

/**
 * Writes a file to a temporary path, then moves it to `path`, replacing any existing file.
 *
 * @param write Creates the file. Must fail if the path already exists, because others may be able to write to the
 * folder.
 * @throws CliError with exit code 2 if the file can't be created, e.g. because the folder doesn't exist.
 */
export async function writeWhole(path: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  // In the same folder, because a rename is only atomic within a file system.
  const unfinished = `${path}.${randomUUID()}.new`;
  try {
    await write(unfinished);
    await rename(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).path !== unfinished) throw error;
    throw new CliError(`Can't write ${path}: ${writeFailure(error as NodeJS.ErrnoException, path)}`, {
      exitCode: EXIT.usage,
      cause: error,
    });
  } finally {
    await rm(unfinished, { force: true }).catch(() => undefined);
  }
}

/** Explains a failed system call without mentioning the temporary file. */
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

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (facts) => facts.isSymbolicLink(),
    () => false,
  );
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

function failed(what: 'read' | 'write', path: string, error: unknown): CliError {
  return new CliError(`Can't ${what} ${path}: ${(error as Error).message}`, { exitCode: EXIT.usage, cause: error });
}
