import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BROWSER, visit, type Client } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { createTestClient } from './target.js';

const CLI = join(import.meta.dirname, '../../apps/cli/bin/agent-traffic.mjs');
const ADDRESS = '198.51.100.77';

let client: Client;
let project: string;
beforeAll(async () => {
  client = await createTestClient('Deletion');
  project = client.target.projectId!;
  const headers = { 'user-agent': BROWSER, 'x-forwarded-for': ADDRESS };
  await client.post('/visits', [visit('/theirs', { request_headers: headers }), visit('/another')]);
  await until(async () => (await client.visits()).length === 2, { condition: 'the visits are stored' });
});

const runDelete = async (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, [CLI, 'visits', 'delete', ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      AGENT_TRAFFIC_URL: client.target.url,
      AGENT_TRAFFIC_API_KEY: client.target.apiKey,
    },
  }).then(
    (output) => ({ code: 0, ...output }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
const listPaths = async (): Promise<string[]> =>
  (await client.visits()).map((item) => item.visit.request_path).toSorted();

it('deletes no visits without a matching confirmation', async () => {
  const wrong = await runDelete('--address', ADDRESS, '--confirm', '198.51.100.7');
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining(`--confirm doesn't match the address "${ADDRESS}"`),
  ]);
  expect((await runDelete('--project', project, '--confirm', project)).stderr).toContain('Nothing was deleted');
  expect((await runDelete('--confirm', 'x')).stderr).toContain('Specify what to delete');
  expect((await runDelete('--address', ADDRESS)).code).toBe(2);
  expect(await listPaths()).toEqual(['/another', '/theirs']);
});

it('deletes visits from an address, then from a project, and preserves counts', async () => {
  const first = await runDelete('--address', ADDRESS, '--project', project, '--confirm', ADDRESS);
  expect(first).toMatchObject({
    code: 0,
    stdout: 'Deleted 1 visit, 0 dead letters and 0 rejected requests. Statistics are not affected.\n',
    stderr: expect.stringContaining('Backups, exports'),
  });
  expect(await listPaths()).toEqual(['/another']);
  const second = await runDelete('--project', project, '--confirm', 'Deletion');
  expect(second.stdout).toContain('Deleted 1 visit,');
  expect(await listPaths()).toEqual([]);
  const overview = await client.api<{ current: { visits: number } }>(`/projects/${project}/overview`);
  expect(overview.current.visits).toBe(2);
});
