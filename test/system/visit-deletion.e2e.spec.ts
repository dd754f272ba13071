import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BROWSER, visit, type Client } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { systemUnderTest } from './target.js';

const CLI = join(import.meta.dirname, '../../apps/cli/bin/agent-traffic.mjs');
const ADDRESS = '198.51.100.77';

let client: Client;
let project: string;
beforeAll(async () => {
  client = await systemUnderTest('Deletion');
  project = client.target.projectId!;
  const headers = { 'user-agent': BROWSER, 'x-forwarded-for': ADDRESS };
  await client.post('/visits', [visit('/theirs', { request_headers: headers }), visit('/another')]);
  await until(async () => (await client.visits()).length === 2, { what: 'the visits are stored' });
});

const cli = async (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
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
const paths = async (): Promise<string[]> => (await client.visits()).map((item) => item.visit.request_path).toSorted();

it('refuses to delete without a matching confirmation', async () => {
  const wrong = await cli('--address', ADDRESS, '--confirm', '198.51.100.7');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining(`The address is "${ADDRESS}"`)]);
  expect((await cli('--project', project, '--confirm', project)).stderr).toContain('nothing was deleted');
  expect((await cli('--confirm', 'x')).stderr).toContain('Choose what to delete');
  expect((await cli('--address', ADDRESS)).code).toBe(2);
  expect(await paths()).toEqual(['/another', '/theirs']);
});

it('deletes the visits of an address, then those of a project, and preserves counts', async () => {
  const first = await cli('--address', ADDRESS, '--project', project, '--confirm', ADDRESS);
  expect(first).toMatchObject({
    code: 0,
    stdout: 'Deleted 1 visit, 0 dead letters and 0 refused requests. Counts stay.\n',
    stderr: expect.stringContaining('Backups, exports'),
  });
  expect(await paths()).toEqual(['/another']);
  const second = await cli('--project', project, '--confirm', 'Deletion');
  expect(second.stdout).toContain('Deleted 1 visit,');
  expect(await paths()).toEqual([]);
  const overview = await client.api<{ current: { visits: number } }>(`/projects/${project}/overview`);
  expect(overview.current.visits).toBe(2);
});
