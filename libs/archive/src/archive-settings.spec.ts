import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { archivedVisit, DAY, expiredPartition } from '../../../test/kit/archived-visits.js';
import { openArchive } from './archive-settings.js';

const KEY = { ARCHIVE_S3_ACCESS_KEY_ID: 'id', ARCHIVE_S3_SECRET_ACCESS_KEY: 'secret' };

it('returns null if ARCHIVE_URL is not set', () => {
  expect(openArchive({})).toBeNull();
  expect(openArchive({ ARCHIVE_URL: 'off' })).toBeNull();
});

it.each([
  's3://bucket',
  's3://bucket/',
  's3://my-bucket.example/a/b',
  'archive',
  '/var/lib/archive',
  'file:///archive',
])('accepts %s', (url) => {
  expect(openArchive({ ARCHIVE_URL: url, ...KEY })).not.toBeNull();
});

it.each([
  ['https://bucket.s3.amazonaws.com', KEY, 'ARCHIVE_URL must be a path or a URL'],
  ['file://archive', KEY, 'ARCHIVE_URL must be a path or a URL'],
  ['s3://', KEY, 'ARCHIVE_URL must be a path or a URL'],
  ['s3://bucket/a?region=b', KEY, 'ARCHIVE_URL must be a path or a URL'],
  ['s3://bucket', { ARCHIVE_S3_ACCESS_KEY_ID: 'id' }, 'ARCHIVE_S3_SECRET_ACCESS_KEY are required'],
])('explains how to correct %s', (url, key, message) => {
  expect(() => openArchive({ ARCHIVE_URL: url, ...key })).toThrow(
    expect.objectContaining({ name: 'ConfigurationError', message: expect.stringContaining(message) }),
  );
});

it.each(['/', '//', ''])('lists the files in a folder whose path or URL ends with "%s"', async (end) => {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'));
  for (const url of [folder + end, pathToFileURL(folder).href + end]) {
    const archive = openArchive({ ARCHIVE_URL: url })!;
    await archive.save(expiredPartition('a', archivedVisit(0)), new AbortController().signal);
    const days: string[] = [];
    for await (const { day } of archive.list()) days.push(day);
    expect(days).toEqual([DAY]);
    expect(await readdir(join(folder, `day=${DAY}`))).toHaveLength(2);
  }
  await rm(folder, { recursive: true });
});

it("creates the folder, or explains why it can't", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'));
  await openArchive({ ARCHIVE_URL: pathToFileURL(join(folder, 'new folder')).href })!.check();
  expect(await readdir(folder)).toEqual(['new folder']);
  await writeFile(join(folder, 'file'), '');
  await expect(openArchive({ ARCHIVE_URL: join(folder, 'file/archive') })!.check()).rejects.toMatchObject({
    name: 'ConfigurationError',
    message: expect.stringContaining('Create the folder, and give the user that runs this process write access.'),
  });
  await rm(folder, { recursive: true });
});
