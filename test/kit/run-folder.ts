/**
 * Folder for all data of a test run, deleted after it. It's in memory if there's enough. On a disk, creating the
 * hundreds of files of each database is much slower.
 */
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In-memory file system on Linux. */
const MEMORY = '/dev/shm';
/** Twice the space that a run uses at a time. */
const NEEDED_BYTES = 4 * 2 ** 30;

/** Number of global setups that use the folder. */
let users = 0;

/**
 * Creates the run's folder if it doesn't exist.
 *
 * @returns Function that each caller must call at the end. The last call deletes the folder.
 */
export async function makeRunFolder(): Promise<() => Promise<void>> {
  const folder = (process.env['TEST_RUN_FOLDER'] ??= await ((await hasRoomInMemory())
    ? folderInMemory()
    : newFolder(tmpdir())));
  users += 1;
  return async () => {
    users -= 1;
    if (users === 0) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

async function hasRoomInMemory(): Promise<boolean> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, process.availableMemory() / 2) > NEEDED_BYTES;
}

/** Also deletes the folders of runs that were killed. */
async function folderInMemory(): Promise<string> {
  for (const name of await readdir(MEMORY)) {
    const [, pid] = /^agent-traffic-run-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) {
      await rm(join(MEMORY, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
  return newFolder(MEMORY, `agent-traffic-run-${process.pid}-`);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Creates a folder that PostgreSQL's user can also enter. */
export const temporaryFolder = (): Promise<string> => newFolder(process.env['TEST_RUN_FOLDER'] ?? tmpdir());

async function newFolder(parent: string, prefix = 'agent-traffic-test-'): Promise<string> {
  const folder = await mkdtemp(join(parent, prefix));
  await chmod(folder, 0o711);
  return folder;
}

/**
 * Returns whether a folder stays until the run's folder is deleted, which is the case on a disk. After thousands of
 * deletions, ext4 is slow to create files.
 */
export function staysUntilEnd(folder: string): boolean {
  const { TEST_RUN_FOLDER: ofRun } = process.env;
  return ofRun !== undefined && folder.startsWith(ofRun) && !ofRun.startsWith(MEMORY);
}

/** Deletes a database's folder, unless it's deleted with the run's folder. */
export async function removeFolder(folder: string): Promise<void> {
  if (staysUntilEnd(folder)) return;
  // PostgreSQL may still be writing.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
