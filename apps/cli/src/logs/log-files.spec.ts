import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findLogs } from './log-files.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-files-'));
  await mkdir(join(folder, 'site'));
  await mkdir(join(folder, 'empty'));
  for (const name of ['access.log', 'access.log.1', 'access.log.10.gz', 'access.log.2.zst', 'error.log', '.hidden']) {
    await writeFile(join(folder, name), 'line\n');
  }
  for (const day of ['20261109', '20261110']) await writeFile(join(folder, 'site', `access.log-${day}`), '');
  await writeFile(join(folder, 'site/access.log'), '');
});
afterAll(() => rm(folder, { recursive: true }));

const found = async (...names: string[]): Promise<string[]> =>
  (await findLogs(names.map((name) => join(folder, name)))).map(({ name }) => name.slice(folder.length + 1));

const ROTATED = ['access.log.10.gz', 'access.log.2.zst', 'access.log.1', 'access.log'];

it('sorts rotated logs from oldest to newest', async () => {
  expect(await found('access.log', 'access.log.1', 'access.log.10.gz', 'access.log.2.zst')).toEqual(ROTATED);
  expect(await found('access.log*', 'access.log')).toEqual(ROTATED);
  expect(await found('site/*-*')).toEqual(['site/access.log-20261109', 'site/access.log-20261110']);
});

it('finds logs in a folder and its subfolders', async () => {
  expect((await found('.')).toSorted()).toEqual(
    [...ROTATED, 'site/access.log', 'site/access.log-20261109', 'site/access.log-20261110'].toSorted(),
  );
  const [log] = await findLogs([join(folder, 'access.log')]);
  expect(log).toMatchObject({ bytes: 5, written: expect.any(Number) });
  expect(await findLogs(['-'])).toEqual([{ name: '-', bytes: undefined, written: undefined }]);
});

it.each([
  ['nowhere.log', "nowhere.log doesn't exist. Check the path."],
  ['nowhere*', 'No logs match'],
  ['empty', 'No logs found in the folder'],
])('rejects %s, which contains or matches no logs', async (name, message) => {
  await expect(found(name)).rejects.toThrow(message);
});

it('explains how to import logs from S3', async () => {
  await expect(findLogs(['s3://logs/a.gz'])).rejects.toThrow('aws s3 cp s3://logs/a.gz - |');
});
