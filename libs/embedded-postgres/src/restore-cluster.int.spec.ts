import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Sandbox } from '../../../test/kit/postgres-sandbox.js';
import { restoreCluster } from './restore-cluster.js';

it('restoreCluster deletes its files after a failure, even during pending writes', async () => {
  const sandbox = await Sandbox.create();
  await mkdir(sandbox.dataDirectory);
  let pendingWrites: Promise<unknown> | undefined;
  const unpack = async (folder: string): Promise<void> => {
    const writeFiles = async (): Promise<void> => {
      for (let file = 0; file < 500; file += 1) await writeFile(join(folder, `file-${file}`), '');
    };
    // Tolerate failures, because the writes fail once the folder is deleted.
    pendingWrites = Promise.allSettled(Array.from({ length: 4 }, writeFiles));
    throw new Error('incomplete backup');
  };
  const restore = restoreCluster(sandbox.dataDirectory, sandbox.log, unpack, async () => undefined);
  await expect(restore).rejects.toThrow('incomplete backup');
  await pendingWrites;
  expect(await readdir(sandbox.dataDirectory)).toEqual([]);
  await sandbox.close();
});
