import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { databaseDiskGauges, setDatabaseDiskPath } from './database-disk.js';

const readValues = async () => {
  const [free, size] = await Promise.all([databaseDiskGauges.free.get(), databaseDiskGauges.size.get()]);
  return { free: free.values.map(({ value }) => value), size: size.values.map(({ value }) => value) };
};

afterEach(() => setDatabaseDiskPath(undefined));

it('exports the size of the disk that contains the path, and its free space', async () => {
  setDatabaseDiskPath(tmpdir());
  const { blocks, bsize } = await statfs(tmpdir());
  const { free, size } = await readValues();
  expect(size).toEqual([blocks * bsize]);
  expect(free[0]).toBeGreaterThan(0);
  expect(free[0]).toBeLessThanOrEqual(size[0]!);
});

it.each([undefined, '/nowhere/at/all'])('exports no values for the path %s', async (path) => {
  setDatabaseDiskPath(path);
  expect(await readValues()).toEqual({ free: [], size: [] });
});
