import { glob, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CliError, EXIT } from '../cli-error.js';

export const STANDARD_INPUT = '-';

interface LogFile {
  name: string;
  /** Size on disk in bytes, or undefined for standard input. */
  bytes: number | undefined;
  /** Modification time in milliseconds since the Unix epoch, or undefined for standard input. */
  written: number | undefined;
}

/**
 * Finds logs by name. A name can be a file, a folder (searched recursively, without hidden files and error logs) or a
 * glob pattern that the shell didn't expand. Rotated logs are sorted oldest first.
 *
 * @throws {CliError} if a name doesn't exist or matches no files.
 */
export async function findLogs(names: readonly string[]): Promise<LogFile[]> {
  const found = new Map<string, LogFile>();
  for (const name of names) for (const file of await resolveLog(name)) found.set(file.name, file);
  return [...found.values()].sort((one, other) => compareRotation(one.name, other.name));
}

async function resolveLog(name: string): Promise<LogFile[]> {
  if (name === STANDARD_INPUT) return [{ name, bytes: undefined, written: undefined }];
  if (/^s3:\/\//i.test(name)) {
    throw new CliError(
      `${name} is not a local file. To import a single log, run aws s3 cp ${name} - | agent-traffic logs import -. To download all logs under a prefix, run aws s3 sync.`,
      {
        exitCode: EXIT.usage,
      },
    );
  }
  const entry = await stat(name).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && /[*?[{]/.test(name)) return null;
    throw new CliError(
      error.code === 'ENOENT' ? `${name} doesn't exist. Check the path.` : `Can't read the log: ${error.message}`,
      { exitCode: EXIT.usage },
    );
  });
  if (entry === null) return findMatching(name);
  return entry.isDirectory() ? findInFolder(name) : [{ name, bytes: entry.size, written: entry.mtimeMs }];
}

async function findMatching(pattern: string): Promise<LogFile[]> {
  const files: LogFile[] = [];
  for await (const name of glob(pattern)) {
    const entry = await stat(name);
    if (entry.isFile()) files.push({ name, bytes: entry.size, written: entry.mtimeMs });
  }
  if (files.length === 0) throw new CliError(`No logs match ${pattern}. Check the pattern.`, { exitCode: EXIT.usage });
  return files;
}

async function findInFolder(folder: string): Promise<LogFile[]> {
  const files: LogFile[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const name = join(entry.parentPath, entry.name);
    if (!entry.isFile() || entry.name.startsWith('.') || /error/i.test(entry.name)) continue;
    const { size, mtimeMs } = await stat(name);
    files.push({ name, bytes: size, written: mtimeMs });
  }
  if (files.length === 0) throw new CliError(`No logs found in the folder ${folder}.`, { exitCode: EXIT.usage });
  return files;
}

/** Compares rotated logs: `access.log.2.gz`, `access.log.1`, `access.log`. Logs with dates are sorted by date. */
function compareRotation(one: string, other: string): number {
  const [first, second] = [parseRotation(one), parseRotation(other)];
  if (first.log !== second.log) return COLLATOR.compare(first.log, second.log);
  return second.number - first.number;
}

const COLLATOR = new Intl.Collator('en', { numeric: true });

function parseRotation(name: string): { log: string; number: number } {
  const base = basename(name);
  const folder = name.slice(0, name.length - base.length);
  const plain = base.replace(/\.(?:gz|zst|bz2|xz)$/, '');
  const numbered = /^(.+)\.(\d{1,4})$/.exec(plain);
  return numbered === null
    ? { log: folder + plain, number: 0 }
    : { log: folder + numbered[1]!, number: Number(numbered[2]) };
}
