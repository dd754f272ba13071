import { jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importLogs } from './import-logs.js';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'import-logs-'))));
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => void jest.spyOn(console, 'log').mockImplementation(() => undefined));
afterEach(() => jest.restoreAllMocks());

async function dryRun(text: string, since?: number): Promise<number> {
  const file = join(folder, 'access.log');
  await writeFile(file, text);
  const options = { dryRun: true, retryPeriodMs: 0, concurrency: 1, ...(since !== undefined && { since }) };
  return importLogs([file], options, () => Promise.reject(new Error('not connected')), new AbortController().signal);
}

const LINE = '198.51.100.7 - - [21/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 512 "-" "GPTBot/1.2"\n';

it('succeeds if the log contains requests, or only requests older than --since', async () => {
  expect(await dryRun(LINE)).toBe(0);
  expect(await dryRun(LINE, Date.parse('2026-11-22'))).toBe(0);
});

it('succeeds if all logs are older than --since', async () => {
  expect(await dryRun(LINE, Date.now() + 3_600_000)).toBe(0);
});

it.each(['', '\n\n'])('fails with the next step if the log contains no requests: %j', async (text) => {
  await expect(dryRun(text)).rejects.toMatchObject({
    message: 'Nothing was imported, because the logs contain no requests.',
    hint: expect.stringContaining('Check the path'),
    exitCode: 1,
  });
});
