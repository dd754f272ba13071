import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { databaseDisk, watchDatabaseDisk } from './database-disk.js';

const valuesOf = async () => {
  const [free, size] = await Promise.all([databaseDisk.free.get(), databaseDisk.size.get()]);
  return { free: free.values.map(({ value }) => value), size: size.values.map(({ value }) => value) };
};

afterEach(() => watchDatabaseDisk(undefined));

it('exports the size and free space of the disk that contains the path', async () => {
  watchDatabaseDisk(tmpdir());
  const { blocks, bsize } = await statfs(tmpdir());
  const { free, size } = await valuesOf();
  expect(size).toEqual([blocks * bsize]);
  expect(free[0]).toBeGreaterThan(0);
  expect(free[0]).toBeLessThanOrEqual(size[0]!);
});

it.each([undefined, '/nowhere/at/all'])('exports no values for %s', async (path) => {
  watchDatabaseDisk(path);
  expect(await valuesOf()).toEqual({ free: [], size: [] });
});
