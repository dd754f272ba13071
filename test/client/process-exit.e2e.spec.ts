import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Client } from '../kit/client.js';
import { freePort, until } from '../kit/instance.js';
import { createTestClient } from '../system/target.js';

const ENTRY = pathToFileURL(join(import.meta.dirname, '../../libs/client/dist/client/src/index.node.js')).href;

let client: Client;

beforeAll(async () => {
  client = await createTestClient('Process exits');
});

/** Runs a program with a client whose flush interval is one hour. */
function run(program: string, { url = client.target.url, shutdownTimeoutMs = '60_000' } = {}): ChildProcess {
  const lines = [
    `import { AgentTraffic } from '${ENTRY}';`,
    `const client = new AgentTraffic({ flushIntervalMs: 3_600_000, shutdownTimeoutMs: ${shutdownTimeoutMs} });`,
    `const visit = (path) => client.record({ request_path: path, request_method: 'GET', request_headers: {} });`,
    program,
  ];
  return spawn(process.execPath, ['--input-type=module', '-e', lines.join('\n')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { AGENT_TRAFFIC_URL: url, AGENT_TRAFFIC_TOKEN: client.target.accessToken },
  });
}

async function waitForExit(child: ChildProcess): Promise<{ by: NodeJS.Signals | number | null; warned: string }> {
  const [warned] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  return { by: child.signalCode ?? child.exitCode, warned };
}

/** Sends SIGTERM as soon as the program prints something. */
async function terminate(child: ChildProcess): Promise<{ by: NodeJS.Signals | number | null; warned: string }> {
  const end = waitForExit(child);
  await once(child.stdout!, 'data');
  child.kill('SIGTERM');
  return end;
}

const waitUntilStored = (path: string): Promise<unknown> =>
  until(async () => (await client.visits({ path })).length === 1, { condition: `${path} is stored` });

it('sends queued visits when the program has nothing left to do', async () => {
  expect(await waitForExit(run(`visit('/natural-end')`))).toEqual({ by: 0, warned: '' });
  await waitUntilStored('/natural-end');
});

it("sends queued visits on SIGTERM and exits by the signal if the program doesn't handle it", async () => {
  const program = `visit('/signal'); setInterval(() => undefined, 1_000); console.log('ready')`;
  expect(await terminate(run(program))).toEqual({ by: 'SIGTERM', warned: '' });
  await waitUntilStored('/signal');
});

it('sends visits recorded during a graceful shutdown', async () => {
  const program = `visit('/graceful/before');
    const work = setInterval(() => undefined, 1_000);
    process.once('SIGTERM', () => setTimeout(() => { visit('/graceful/after'); clearInterval(work); }, 50));
    console.log('ready');`;
  expect(await terminate(run(program))).toEqual({ by: 0, warned: '' });
  await waitUntilStored('/graceful/before');
  await waitUntilStored('/graceful/after');
});

it('exits immediately if no visits are queued', async () => {
  expect(await terminate(run(`setInterval(() => undefined, 1_000); console.log('ready')`))).toEqual({
    by: 'SIGTERM',
    warned: '',
  });
});

it('gives up on an unreachable instance and reports the lost visits', async () => {
  const away = { url: `http://127.0.0.1:${await freePort()}`, shutdownTimeoutMs: '300' };
  const { by, warned } = await waitForExit(run(`visit('/lost')`, away));
  expect(by).toBe(0);
  expect(warned).toContain('Agent Traffic: 1 visit was not reported: POST /visits failed');
});

it("exits well within Docker's 10-second grace period if the instance is down", async () => {
  const away = { url: `http://127.0.0.1:${await freePort()}`, shutdownTimeoutMs: 'undefined' };
  const program = `for (let page = 0; page < 700; page += 1) visit('/lost'); setInterval(() => undefined, 1_000); console.log('ready')`;
  const child = run(program, away);
  const end = waitForExit(child);
  await once(child.stdout!, 'data');
  const started = performance.now();
  child.kill('SIGTERM');
  const { by, warned } = await end;
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(by).toBe('SIGTERM');
  expect(warned).toContain('Agent Traffic: 700 visits were not reported: POST /visits failed');
});
