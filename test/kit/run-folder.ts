/**
 * The folder of a run of jest, which holds what its tests store and is deleted with it: in memory where there is room, as making
 * the hundreds of files of each database takes several times as long on a disk, and waiting for it even longer.
 */
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, as Linux has it. */
const MEMORY = '/dev/shm';
/** A run stores half as much at a time. */
const NEEDED_BYTES = 4 * 2 ** 30;

/** How many have a server in the folder of the run. */
let users = 0;

/** Makes the folder of the run, unless it has one. @returns what deletes it, once it was called for each who made it. */
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

/** Also deletes those of runs that were ended before they could. */
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

/** A new folder that also the user PostgreSQL runs as can pass through. */
export const temporaryFolder = (): Promise<string> => newFolder(process.env['TEST_RUN_FOLDER'] ?? tmpdir());

async function newFolder(parent: string, prefix = 'agent-traffic-test-'): Promise<string> {
  const folder = await mkdtemp(join(parent, prefix));
  await chmod(folder, 0o711);
  return folder;
}

/**
 * Whether what a test has stored is deleted with the folder of the run. ext4 reuses what deleted files took only after some
 * seconds; after thousands of deletions it searches long for each new file's place.
 */
export function staysUntilEnd(folder: string): boolean {
  const { TEST_RUN_FOLDER: ofRun } = process.env;
  return ofRun !== undefined && folder.startsWith(ofRun) && !ofRun.startsWith(MEMORY);
}

/** Deletes the folder of a database, unless it is deleted with that of the run. */
export async function removeFolder(folder: string): Promise<void> {
  if (staysUntilEnd(folder)) return;
  // PostgreSQL may still be writing its last.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
