import { jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { run } from '../main.js';

const PROJECT = '019a0000-0000-7000-8000-000000000000';
const VERSION = {
  id: '019a0000-0000-7000-8000-000000000001',
  host: 'shop.example',
  served_from: '2026-11-21T08:00:00.000Z',
  served_until: null,
  status: 200,
  is_recorded: true,
  size: 24,
  is_cut: false,
  digest: 'a',
};

/** Stands in for an instance with one project. */
let server: Server;
let folder: string;
let recorded: unknown[];
let answer: object;
let output: string;
const variables = { ...process.env };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robots-'));
  server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') {
      response.end(JSON.stringify({ projects: [{ id: PROJECT, name: 'Shop' }] }));
      return;
    }
    recorded.push([request.url, await json(request)]);
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  [recorded, output, answer] = [[], '', VERSION];
  process.env['AGENT_TRAFFIC_URL'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env['AGENT_TRAFFIC_API_KEY'] = 'agk_a';
  const write = (text: string): void => void (output += `${text}\n`);
  jest.spyOn(console, 'log').mockImplementation(write);
  jest.spyOn(console, 'error').mockImplementation(write);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.env = { ...variables };
});

const record = (...args: string[]) => run(['robots', 'record', ...args], '/nowhere');

async function fileOf(content: string | Buffer): Promise<string> {
  const file = join(folder, 'robots.txt');
  await writeFile(file, content);
  return file;
}

it('posts a file for the only project', async () => {
  const file = await fileOf('User-agent: *\nDisallow: /\n');
  expect(await record(file, '--host', 'shop.example', '--from', '2026-11-21')).toBe(0);
  expect(recorded).toEqual([
    [
      `/api/projects/${PROJECT}/robots-versions`,
      { text: 'User-agent: *\nDisallow: /\n', host: 'shop.example', served_from: '2026-11-21' },
    ],
  ]);
  expect(output).toMatch(/^Recorded for shop\.example, from .+ on: a robots\.txt of 24 bytes\n$/);
});

it('says that there is none, without a file', async () => {
  answer = { ...VERSION, status: 404, size: null };
  expect(await record('--status', '404')).toBe(0);
  expect(recorded).toEqual([[expect.any(String), { status: 404 }]]);
  expect(output).toContain('no robots.txt (status 404)');
  expect(await record('robots.txt', '--status', '404')).toBe(2);
  expect(recorded).toHaveLength(1);
});

it('posts what an instance takes, and says what of it counts', async () => {
  answer = { ...VERSION, is_cut: true };
  expect(await record(await fileOf(`A\0\n${'# x\n'.repeat(500_000)}`), '--json')).toBe(0);
  const [[, { text }]] = recorded as [[string, { text: string }]];
  expect(text.length).toBeGreaterThan(600_000);
  expect(text.length).toBeLessThanOrEqual(1_000_000);
  expect(text.slice(0, 3)).toBe('A\uFFFD\n');
  expect(output).toContain('Only the first 500 KiB count');
});

it('says what cannot be read', async () => {
  expect(await record('/no/such')).toBe(2);
  expect(output).toContain("Can't read /no/such");
  expect(await record('/no/such', '--from', 'yesterday')).toBe(2);
  expect(recorded).toEqual([]);
});
