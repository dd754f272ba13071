import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Sandbox } from '../../../test/kit/postgres-sandbox.js';
import { restoreCluster } from './restored-cluster.js';

it('removes a failed restore even if files are still being written', async () => {
  const sandbox = await Sandbox.create();
  await mkdir(sandbox.dataDirectory);
  let made: Promise<unknown> | undefined;
  const unpack = async (folder: string): Promise<void> => {
    const make = async (): Promise<void> => {
      for (let file = 0; file < 500; file += 1) await writeFile(join(folder, `file-${file}`), '');
    };
    // The writes fail once the folder is deleted.
    made = Promise.allSettled(Array.from({ length: 4 }, make));
    throw new Error('not whole');
  };
  const restored = restoreCluster(sandbox.dataDirectory, sandbox.log, unpack, async () => undefined);
  await expect(restored).rejects.toThrow('not whole');
  await made;
  expect(await readdir(sandbox.dataDirectory)).toEqual([]);
  await sandbox.close();
});
