import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDataSource } from '#libs/database';
import { findRunningPostgres } from '#libs/embedded-postgres';
import { Client } from '../kit/client.js';
import { COMPILE_CACHE_ENV, Instance, temporaryFolder, until } from '../kit/instance.js';
import { removeFolder } from '../kit/run-folder.js';
import { storeVisits } from '../kit/stored-visits.js';

const CLI = join(import.meta.dirname, '../../apps/cli/bin/agent-traffic.mjs');
const DAY_MS = 86_400_000;

/** Stores visits that the instance received on earlier days. */
async function storeEarlierVisits(instance: Instance, projectId: string): Promise<void> {
  const { url } = await findRunningPostgres(instance.dataDirectory);
  const dataSource = await createDataSource({ url, poolSize: 2 }).initialize();
  for (let daysAgo = 3; daysAgo <= 6; daysAgo += 1) {
    const received = Date.now() - daysAgo * DAY_MS;
    const at = new Date(received).toISOString();
    await storeVisits(dataSource, projectId, received, [
      { at, path: `/${daysAgo}`, address: '192.0.2.7', headers: { Host: 'shop.example', 'User-Agent': 'größe' } },
      { at, path: `/${daysAgo}`, agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' },
    ]);
  }
  await dataSource.destroy();
}

it('archives expired visits, and restores them with an identical export and the same counts', async () => {
  const folder = await temporaryFolder();
  const env = { ARCHIVE_URL: join(folder, 'archive') };
  const first = await Instance.start({ env });
  const { dataDirectory } = first;
  const cli = async (...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], {
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDirectory, ...env, ...COMPILE_CACHE_ENV },
    });
    return stdout;
  };
  const readExport = (): Promise<string> => cli('visits', 'export', '--format', 'ndjson');
  const readCounts = async (instance: Instance): Promise<unknown> => {
    const apiKey = (await readFile(join(dataDirectory, 'api-key'), 'utf8')).trim();
    return new Client({ url: instance.url, accessToken: '', apiKey }).api('/project-summaries');
  };
  const [project] = JSON.parse(await cli('projects', 'list', '--json')) as { id: string }[];
  await storeEarlierVisits(first, project!.id);
  const exported = await readExport();
  expect(exported.trim().split('\n')).toHaveLength(8);
  const counts = await readCounts(first);
  await first.stop();

  const second = await Instance.start({ dataDirectory, env: { ...env, RETENTION_DAYS: '2' } });
  await until(async () => (await readExport()) === '', { condition: 'the visits are deleted' });
  expect(await cli('archive', 'verify')).toBe('Verified 8 files with 8 visits.\n');
  const today = new Date().toISOString().slice(0, 10);
  expect(await cli('archive', 'restore', '--from', '2026-01-01', '--to', today)).toContain('Restored 8 visits.');
  expect(await readExport()).toBe(exported);
  expect(await readCounts(second)).toEqual(counts);
  await second.stop();

  // The command also starts the database of a stopped instance.
  expect(await cli('archive', 'restore', '--from', '2026-01-01', '--to', today)).toContain('Restored 0 visits.');
  await removeFolder(dataDirectory);
  await removeFolder(folder);
}, 60_000);
