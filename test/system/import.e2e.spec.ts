import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Client } from '../kit/client.js';
import { startHttpRelay } from '../kit/http-relay.js';
import { COMPILE_CACHE_ENV, temporaryFolder, until } from '../kit/instance.js';
import { generateLog } from '../log-generator.js';
import { createTestClient } from './target.js';

const ROOT = join(import.meta.dirname, '../..');
const CLI = join(ROOT, 'apps/cli/bin/agent-traffic.mjs');
/** Log with 10,000 requests to a public site. It only exists if someone has put it next to the repository. */
const SAMPLE_LOG = join(ROOT, '../shared/samples/apache-access.log.gz');

let client: Client;
let folder: string;

beforeAll(async () => {
  client = await createTestClient('Import');
  folder = await temporaryFolder();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const cliEnv = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  ...COMPILE_CACHE_ENV,
  AGENT_TRAFFIC_URL: client.target.url,
  AGENT_TRAFFIC_API_KEY: client.target.apiKey,
});

const runCli = (...args: string[]) =>
  promisify(execFile)(process.execPath, [CLI, ...args], { env: cliEnv(), maxBuffer: 64 * 1024 * 1024 });

/** Returns the number of visits that an import sent or recognized as already recorded. */
const countRecorded = (stdout: string): number =>
  [...stdout.matchAll(/(?:Visits sent|Already recorded) +([\d,]+)/g)].reduce(
    (sum, [, count]) => sum + Number(count!.replaceAll(',', '')),
    0,
  );

const waitForVisits = (projectId: string, count: number) =>
  until(
    async () => {
      const visits = await client.visits({}, projectId);
      return visits.length >= count && visits;
    },
    { condition: `${count} visits are stored` },
  );

const createProject = async (name: string): Promise<string> => {
  const { id } = await client.api<{ id: string }>('/projects', { method: 'POST', body: { name } });
  await client.api(`/projects/${id}/tokens`, { method: 'POST', body: {} });
  return id;
};

it('records a log with broken lines only once if it is imported twice', async () => {
  const log = generateLog({ lines: 5_000, seed: 7, unreadableEvery: 97 });
  const file = join(folder, 'access.log');
  await writeFile(file, gzipSync(log.text));
  const projectId = await createProject('Generated');

  const { stdout } = await runCli('logs', 'import', '--project', 'Generated', file);
  expect(stdout).toMatch(new RegExp(`Unreadable +${log.unreadable.length}`));
  expect(await waitForVisits(projectId, log.readable)).toHaveLength(log.readable);
  expect(countRecorded(stdout)).toBe(log.readable);
  // The printed link leads to an overview of exactly the imported visits.
  const link = new URL(/^ {2}(http\S+\/overview\?\S+)$/m.exec(stdout)![1]!);
  const { current } = await client.api<{ current: { visits: number } }>(`${link.pathname}${link.search}`);
  expect(current.visits).toBe(log.readable);
  const secondImport = await runCli('logs', 'import', '--project', 'Generated', file);
  expect(secondImport.stdout).toMatch(/Visits sent +0\n/);
  expect(countRecorded(secondImport.stdout)).toBe(log.readable);
  expect(await waitForVisits(projectId, log.readable)).toHaveLength(log.readable);
});

it('records each visit once if killed with requests in flight that finish out of order', async () => {
  const log = generateLog({ lines: 12_000, seed: 9 });
  const file = join(folder, 'killed.log');
  await writeFile(file, log.text);
  const projectId = await createProject('Killed');
  let inFlight = 0;
  let kill: (() => void) | undefined;
  const relay = await startHttpRelay(client.target.url, async (request, forward) => {
    if (request.url !== '/visits') return forward();
    const position = (inFlight += 1);
    const areEnoughInFlight = async (): Promise<boolean> => inFlight > 2 || kill === undefined;
    await until(areEnoughInFlight, { condition: 'three requests are in flight' });
    // Delay earlier requests for longer, so that requests are forwarded out of order.
    await sleep((4 - position) * 40);
    await forward();
    // This request is recorded, but the client dies before the response. The others are still in flight.
    kill?.();
    inFlight -= 1;
  });
  const env = { ...cliEnv(), AGENT_TRAFFIC_URL: relay.url };
  const args = [CLI, 'logs', 'import', '--project', 'Killed', file];
  try {
    const importProcess = spawn(process.execPath, args, { env, stdio: 'ignore' });
    const exited = new Promise((resolve) => importProcess.once('exit', (_code, signal) => resolve(signal)));
    kill = () => {
      importProcess.kill('SIGKILL');
      kill = undefined;
    };
    expect(await exited).toBe('SIGKILL');
    await until(async () => inFlight === 0, { condition: 'no requests are in flight' });
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(countRecorded(stdout)).toBe(log.readable);
  } finally {
    await relay.close();
  }
  expect(await waitForVisits(projectId, log.readable)).toHaveLength(log.readable);
});

it('sends no visits in a dry run', async () => {
  const projectId = await createProject('Dry');
  const file = join(folder, 'dry.log');
  await writeFile(file, generateLog({ lines: 50, seed: 3, unreadableEvery: 10 }).text);
  const { stdout } = await runCli('logs', 'import', '--dry-run', '--project', 'Dry', file);
  expect(stdout).toContain('nothing was sent');
  expect(await client.visits({}, projectId)).toEqual([]);
});

// The log is third-party data, so it isn't in the repository.
if (existsSync(SAMPLE_LOG)) {
  it('imports a real log with its original times and identifies crawlers', async () => {
    const projectId = await createProject('Sample');
    for (let time = 0; time < 2; time += 1) {
      const { stdout } = await runCli('logs', 'import', '--project', 'Sample', SAMPLE_LOG);
      expect(stdout).toMatch(time === 0 ? /Visits sent +10,000/ : /Visits sent +0\n +Already recorded +10,000/);
      expect(await waitForVisits(projectId, 10_000)).toHaveLength(10_000);
    }
    const visits = await client.visits({}, projectId);
    expect(visits.at(-1)!.occurred_at).toBe('2015-05-17T10:05:00.000Z');
    expect(visits[0]!.occurred_at).toBe('2015-05-20T21:05:59.000Z');
    const agents = new Map<string, number>();
    for (const { identification } of visits) {
      const token = identification.agent_token;
      if (token !== null) agents.set(token, (agents.get(token) ?? 0) + 1);
    }
    for (const token of ['Googlebot', 'bingbot', 'Baiduspider', 'YandexBot', 'AhrefsBot', 'Googlebot-Image']) {
      expect([token, agents.get(token)]).toEqual([token, expect.any(Number)]);
    }
    const day = await client.visits({ from: '2015-05-18', to: '2015-05-19', agent: 'Googlebot' }, projectId);
    expect(day.length).toBeGreaterThan(10);
    expect(day.every(({ occurred_at: time }) => time.startsWith('2015-05-18'))).toBe(true);
  });
}

it('manages projects, tokens, API keys and dead letters', async () => {
  expect((await runCli('projects', 'create', 'From the shell')).stdout).toContain('From the shell');
  expect((await runCli('projects', 'list')).stdout).toContain('From the shell');
  const { projects } = await client.api<{ projects: { id: string; name: string }[] }>('/projects');
  const { id } = projects.find(({ name }) => name === 'From the shell')!;
  const token = (await runCli('tokens', 'create', '--project', 'From the shell')).stdout.trim();
  expect(token).toMatch(/^agt_/);
  expect((await client.post('/visits', [{ request_path: 1 }, 2], { token })).status).toBe(422);
  await until(
    async () => (await runCli('dead-letters', 'list', '--project', 'From the shell')).stdout.includes('invalid_visit'),
    { condition: 'the dead letters are listed' },
  );
  expect((await runCli('api-keys', 'create', '--project', 'From the shell')).stdout.trim()).toMatch(/^agk_/);
  const { dead_letters: openDeadLetters } = await client.api<{ dead_letters: { id: string }[] }>(
    `/dead-letters?project=${id}&limit=1`,
  );
  expect((await runCli('dead-letters', 'show', openDeadLetters[0]!.id)).stdout).toContain('invalid_visit');
  expect((await runCli('dead-letters', 'replay', openDeadLetters[0]!.id)).stdout).toMatch(/1/);
  // The replay fails, which reopens the dead letter.
  const isReopened = async () =>
    (await client.api<{ replayed_at: string | null }>(`/dead-letters/${openDeadLetters[0]!.id}`)).replayed_at === null;
  await until(isReopened, { condition: 'the dead letter is open again' });
});

it('follows visits live', async () => {
  const projectId = await createProject('Live');
  const { tokens } = await client.api<{ tokens: { id: string }[] }>(`/projects/${projectId}/tokens`);
  const { token } = await client.api<{ token: string }>(`/projects/${projectId}/tokens/${tokens[0]!.id}`);
  const tail = spawn(process.execPath, [CLI, 'visits', 'tail', '--project', 'Live', '--last', '0'], {
    env: cliEnv(),
  });
  let output = '';
  tail.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await until(
    async () => {
      await client.post('/visits', { request_path: '/tailed', request_method: 'GET', request_headers: {} }, { token });
      return output.includes('/tailed');
    },
    { condition: 'the visit is printed', explain: () => output },
  );
  const exited = new Promise((resolve) => tail.once('exit', resolve));
  tail.kill('SIGINT');
  expect(await exited).toBe(0);
});
