/**
 * The folder of a run of jest, which holds what its tests store and is deleted with it. ext4 reuses what deleted files took
 * only after some seconds; after thousands of deletions it searches long for each new file's place.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How many have a server in the folder of the run. */
let users = 0;

/** Makes the folder of the run, unless it has one. @returns what deletes it, once it was called for each who made it. */
export async function makeRunFolder(): Promise<() => Promise<void>> {
  const folder = (process.env['TEST_RUN_FOLDER'] ??= await temporaryFolder());
  users += 1;
  return async () => {
    users -= 1;
    if (users === 0) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

/** A new folder that also the user PostgreSQL runs as can pass through. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(process.env['TEST_RUN_FOLDER'] ?? tmpdir(), 'agent-traffic-test-'));
  await chmod(folder, 0o711);
  return folder;
}

/** Deletes the folder of a database, unless it is deleted with that of the run. */
export async function removeFolder(folder: string): Promise<void> {
  const { TEST_RUN_FOLDER: ofRun } = process.env;
  if (ofRun !== undefined && folder.startsWith(ofRun)) return;
  // PostgreSQL may still be writing its last.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
