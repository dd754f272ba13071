import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LoadReport } from '#libs/contracts';
import { Client, CREDENTIALS, CREDENTIALS_ENV } from './kit/client.js';
import { COMPILE_CACHE_ENV, Instance, temporaryFolder, until } from './kit/instance.js';
import { countLoadLog, describeLoad, LOAD_LOG_FORMAT, writeLoadLog } from './kit/load-log.js';

/** Number of log lines. Set `LOAD_LINES` to a lower number for a quick run. */
const LINES = Number(process.env['LOAD_LINES'] ?? 1_000_000);
const CLI = join(import.meta.dirname, '../apps/cli/bin/agent-traffic.mjs');
const TIMEOUT_MS = 120_000 + LINES * 2;

let instance: Instance;
let folder: string;
beforeAll(async () => {
  instance = await Instance.start({ env: CREDENTIALS_ENV });
  folder = await temporaryFolder();
});
afterAll(async () => {
  await instance?.dispose();
  await rm(folder, { recursive: true, force: true });
});

it(
  'reports the same load of each agent as awk counts in the imported log',
  async () => {
    const file = join(folder, 'access.log');
    await writeLoadLog(file, LINES, Date.now());
    const client = new Client({ url: instance.url, ...CREDENTIALS });
    const project = await client.projectId();
    const env = {
      PATH: process.env['PATH'] ?? '',
      ...COMPILE_CACHE_ENV,
      AGENT_TRAFFIC_URL: instance.url,
      AGENT_TRAFFIC_API_KEY: CREDENTIALS.apiKey,
    };
    const args = ['logs', 'import', '--project', project, '--log-format', LOAD_LOG_FORMAT, file];
    await promisify(execFile)(process.execPath, [CLI, ...args], { env });
    const from = new Date(Date.now() - 3 * 86_400_000).toISOString();
    const load = await until(
      async () => {
        const report = await client.api<LoadReport>(`/projects/${project}/load?by=agent&from=${from}`);
        return report.total.requests === LINES && report;
      },
      { condition: 'all visits are stored', timeoutMs: TIMEOUT_MS },
    );
    expect(load.sample).toBeNull();
    expect(describeLoad(load)).toEqual(countLoadLog(file));
  },
  TIMEOUT_MS,
);
