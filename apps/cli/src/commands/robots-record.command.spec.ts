import { jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
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

/** Fake instance with one project. */
let server: Server;
let folder: string;
let recorded: unknown[];
let responseBody: object;
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
    response.end(JSON.stringify(responseBody));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  [recorded, output, responseBody] = [[], '', VERSION];
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

async function writeRobotsFile(content: string | Buffer): Promise<string> {
  const file = join(folder, 'robots.txt');
  await writeFile(file, content);
  return file;
}

it('records a file in the only project', async () => {
  const file = await writeRobotsFile('User-agent: *\nDisallow: /\n');
  expect(await record(file, '--host', 'shop.example', '--from', '2026-11-21')).toBe(0);
  expect(recorded).toEqual([
    [
      `/api/projects/${PROJECT}/robots-versions`,
      { text: 'User-agent: *\nDisallow: /\n', host: 'shop.example', served_from: '2026-11-21' },
    ],
  ]);
  expect(output).toMatch(/^Recorded for shop\.example, from .+ on: a robots\.txt of 24 bytes\n$/);
});

it('shows when the next version replaces the recorded one', async () => {
  responseBody = { ...VERSION, served_until: '2026-11-22T08:00:00.000Z' };
  expect(await record(await writeRobotsFile('User-agent: *\nDisallow: /\n'))).toBe(0);
  expect(output).toMatch(
    /^Recorded for shop\.example, from .+ until .+, when the next version takes effect: a robots\.txt/,
  );
});

it.each([
  ['404', 'no robots.txt (status 404), which allows everything'],
  ['503', 'an error (status 503), which disallows everything'],
])('records status %s without a file and explains its effect', async (status, expectedText) => {
  responseBody = { ...VERSION, status: Number(status), size: null };
  expect(await record('--status', status)).toBe(0);
  expect(recorded).toEqual([[expect.any(String), { status: Number(status) }]]);
  expect(output).toContain(` on: ${expectedText}\n`);
  expect(await record('robots.txt', '--status', status)).toBe(2);
  expect(recorded).toHaveLength(1);
});

it.each([
  ['', 0, 'an empty robots.txt, which allows everything'],
  ['\ufeff# Welcome\nSitemap: /s.xml', 24, 'a robots.txt of 24 bytes, which allows everything'],
  ['User-agent: *\nDisallow:\n', 24, 'a robots.txt of 24 bytes, which allows everything'],
  ['<!-- x -->\nUser-agent: *\nDisallow: /', 24, 'a robots.txt of 24 bytes'],
])('reports whether a file allows everything: %j', async (content, size, expectedText) => {
  responseBody = { ...VERSION, size };
  expect(await record(await writeRobotsFile(content))).toBe(0);
  expect(output).toContain(` on: ${expectedText}\n`);
});

it.each<[string, string | Buffer, string]>([
  ['an HTML page', '\n<html>\n<p style="color: red">502 Bad Gateway</p></html>', 'line 2 is "<html>"'],
  ['a text', '# An error\n502 Bad Gateway', 'line 2 is "502 Bad Gateway"'],
  ['bytes', Buffer.from([0x1b, 0x9b, 0x00, 0xff, 0x3a, 0x20]), 'line 1 is "\\x1b'],
])('rejects a file that is not a robots.txt: %s', async (_, content, expectedText) => {
  const file = await writeRobotsFile(content);
  expect(await record(file)).toBe(2);
  expect(output).toContain(`${file} is not a robots.txt: it has no User-agent line, and ${expectedText}`);
  expect(output).toContain('--status 404');
  expect(recorded).toEqual([]);
});

it('rejects empty standard input, which may come from a failed command', async () => {
  const { stdin } = process;
  Object.defineProperty(process, 'stdin', { value: Readable.from(['\n']), configurable: true });
  try {
    expect(await record('-')).toBe(2);
  } finally {
    Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  }
  expect(output).toContain('Standard input is empty');
  expect(recorded).toEqual([]);
});

it('sanitizes and truncates a large file and warns that only the first 500 KiB count', async () => {
  responseBody = { ...VERSION, is_cut: true };
  expect(await record(await writeRobotsFile(`User-agent: A\0\n${'# x\n'.repeat(500_000)}`), '--json')).toBe(0);
  const [[, { text }]] = recorded as [[string, { text: string }]];
  expect(text.length).toBeGreaterThan(600_000);
  expect(text.length).toBeLessThanOrEqual(1_000_000);
  expect(text.slice(0, 14)).toBe('User-agent: A\uFFFD');
  expect(output).toContain('Only the first 500 KiB count');
});

it('rejects unreadable files and invalid dates', async () => {
  expect(await record('/no/such')).toBe(2);
  expect(output).toContain("Can't read /no/such");
  expect(await record('/no/such', '--from', 'yesterday')).toBe(2);
  expect(recorded).toEqual([]);
});
