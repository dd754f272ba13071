import { randomUUID } from 'node:crypto';
import { chmod, chown, lstat, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError, EXIT } from './cli-error.js';

/** Whether it was written; what already says the same is left as it is, with its time of change. */
export type Replacement = 'new' | 'changed' | 'unchanged';

/** @returns `null` where there is no such file. @throws CliError with exit code 2 */
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
 * Writes a file whole or not at all, also when the machine stops halfway: a reader sees the old content or the
 * new, and never a part. Its mode stays, and its owner where that may be set; a symbolic link stays one.
 *
 * @throws CliError with exit code 2
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
 * Puts a file in the place of the path, whatever stood there, once it is written whole.
 *
 * @param write creates the file that it is given, and refuses one that is there: others may write into the folder.
 * @throws CliError with exit code 2 if the file can't be created, such as in a folder that doesn't exist
 */
export async function writeWhole(path: string, write: (unfinished: string) => Promise<void>): Promise<void> {
  // Beside it, since only within a file system it can take the other's place at once.
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

/** Explains a failed system call without the temporary name, which means nothing to the reader. */
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
