/**
 * Folder for a test run's data, deleted after the run. It's kept in memory if there's enough, because creating a
 * database's hundreds of files is much slower on disk.
 */
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In-memory file system on Linux. */
const MEMORY_FOLDER = '/dev/shm';
/** Twice the peak disk usage of a run. */
const NEEDED_BYTES = 4 * 2 ** 30;

/** Number of global setups that currently use the folder. */
let userCount = 0;

/**
 * Creates the run folder if it doesn't exist.
 *
 * @returns a function that each caller must call at the end. The last call deletes the folder.
 */
export async function createRunFolder(): Promise<() => Promise<void>> {
  const folder = (process.env['TEST_RUN_FOLDER'] ??= await ((await hasMemorySpace())
    ? createMemoryFolder()
    : createFolder(tmpdir())));
  userCount += 1;
  return async () => {
    userCount -= 1;
    if (userCount === 0) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

async function hasMemorySpace(): Promise<boolean> {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, process.availableMemory() / 2) > NEEDED_BYTES;
}

/** Also deletes folders left behind by killed runs. */
async function createMemoryFolder(): Promise<string> {
  for (const name of await readdir(MEMORY_FOLDER)) {
    const [, pid] = /^agent-traffic-run-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) {
      await rm(join(MEMORY_FOLDER, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
  return createFolder(MEMORY_FOLDER, `agent-traffic-run-${process.pid}-`);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Creates a folder that PostgreSQL's user can also access. */
export const temporaryFolder = (): Promise<string> => createFolder(process.env['TEST_RUN_FOLDER'] ?? tmpdir());

async function createFolder(parent: string, prefix = 'agent-traffic-test-'): Promise<string> {
  const folder = await mkdtemp(join(parent, prefix));
  await chmod(folder, 0o711);
  return folder;
}

/**
 * Returns whether a folder isn't deleted until the run folder is. This is the case on disk, because creating files on
 * ext4 is slow after thousands of deletions.
 */
export function isRemovedWithRun(folder: string): boolean {
  const { TEST_RUN_FOLDER: runFolder } = process.env;
  return runFolder !== undefined && folder.startsWith(runFolder) && !runFolder.startsWith(MEMORY_FOLDER);
}

/** Deletes a database folder, unless it's deleted along with the run folder. */
export async function removeFolder(folder: string): Promise<void> {
  if (isRemovedWithRun(folder)) return;
  // Retry, because PostgreSQL may still be writing.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
