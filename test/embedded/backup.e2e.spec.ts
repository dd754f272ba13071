import { execFile } from 'node:child_process';
import { copyFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '../kit/client.js';
import { Instance, COMPILE_CACHE_ENV, temporaryFolder, until } from '../kit/instance.js';
import { Load, countStored } from '../kit/load.js';
import { removeFolder } from '../kit/run-folder.js';

const CLI = join(import.meta.dirname, '../../apps/cli/bin/agent-traffic.mjs');

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  file = join(folder, 'saved.tar.zst');
});
afterAll(() => removeFolder(folder));

const cli = async (dataDirectory: string, ...args: string[]): Promise<{ code: number; stderr: string }> =>
  promisify(execFile)(process.execPath, [CLI, ...args], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDirectory, ...COMPILE_CACHE_ENV },
  }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  );

async function createClient(instance: Instance, accessToken: string): Promise<Client> {
  const apiKey = (await readFile(join(instance.dataDirectory, 'api-key'), 'utf8')).trim();
  return new Client({ url: instance.url, accessToken, apiKey });
}

it('backs up acknowledged visits under load and restores them in another folder', async () => {
  const instance = await Instance.start();
  const accessToken = /agt_\w+/.exec(instance.output)![0];
  const client = await createClient(instance, accessToken);
  const load = new Load(client, { workers: 4 });
  await until(() => load.accepted.size > 300, { condition: 'visits are accepted' });
  const before = [...load.accepted];
  expect(await cli(instance.dataDirectory, 'backup', file)).toMatchObject({ code: 0 });
  const during = load.accepted.size - before.length;
  await load.stop();
  await instance.kill();
  await removeFolder(instance.dataDirectory);
  expect(during).toBeGreaterThan(0);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const dataDirectory = join(folder, 'restored');
  expect(await cli(dataDirectory, 'restore', file)).toMatchObject({ code: 0 });
  const restored = await Instance.start({ dataDirectory });
  const successor = await createClient(restored, accessToken);
  const times = countStored(await successor.visits());
  expect(before.filter((number) => times.get(number) !== 1)).toEqual([]);
  expect([...times.values()].filter((count) => count !== 1)).toEqual([]);
  const { summaries } = await successor.api<{ summaries: { visits: number }[] }>('/project-summaries');
  expect(summaries[0]?.visits).toBe(times.size);
  // The restored instance must accept the original token.
  expect(
    (await successor.post('/visits', { request_path: '/after', request_method: 'GET', request_headers: {} })).status,
  ).toBe(204);
  await restored.stop();

  const again = await cli(dataDirectory, 'backup', join(folder, 'stopped.tar.zst'));
  expect(again.code).toBe(0);
  expect((await cli(join(folder, 'twice'), 'restore', join(folder, 'stopped.tar.zst'))).code).toBe(0);
  const twice = await Instance.start({ dataDirectory: join(folder, 'twice') });
  expect(await (await createClient(twice, accessToken)).visits({ path: '/after' })).toHaveLength(1);
  await twice.dispose();
});

it('rejects damaged backups, other files, and non-empty folders, leaving nothing behind', async () => {
  const short = join(folder, 'short.tar.zst');
  await copyFile(file, short);
  await truncate(short, (await stat(file)).size - 20_000);
  const target = join(folder, 'refused');
  expect(await cli(target, 'restore', short)).toMatchObject({ code: 1, stderr: expect.stringContaining(short) });
  expect(await readdir(target)).toEqual([]);

  const other = join(folder, 'other');
  await writeFile(other, 'no backup');
  expect(await cli(target, 'restore', other)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("isn't an Agent Traffic backup"),
  });
  expect(await cli(target, 'restore', join(folder, 'absent'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no such file'),
  });
  await writeFile(join(target, 'mine'), '');
  expect(await cli(target, 'restore', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') });
  expect(await cli(join(folder, 'nothing'), 'backup', join(folder, 'none'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No instance found in'),
  });
});
