import { jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { run } from '../main.js';

const PROJECT = '019a0000-0000-7000-8000-000000000000';
const SITEMAP = {
  url: 'https://shop.example/sitemap.xml',
  is_recorded: false,
  checked_at: '2026-11-21T08:00:00.000Z',
  is_index: false,
  entries: 2,
  ignored: 1,
  fault: 'is not valid XML',
  line: 3,
};
const AGENT = {
  agent_id: '0',
  agent_token: 'GPTBot',
  agent_type_name: 'AI Data Scraper',
  operator_name: 'OpenAI',
  purpose: 'training',
  fetched: 1,
  unlisted: 3,
  fetches: 9,
  redirects: 1,
  client_errors: 0,
  server_errors: 0,
  with_query: 2,
  repeats: 4,
  listed_redirects: 0,
  listed_errors: 0,
  last_fetch_at: '2026-11-21T08:00:00.000Z',
  days_to_first_fetch: null,
};
const RESPONSE = {
  sitemaps: [SITEMAP],
  pages: 4,
  checked_at: SITEMAP.checked_at,
  agents: [AGENT, { ...AGENT, agent_id: null, agent_token: null, purpose: 'other' }],
  purposes: [{ purpose: 'training', fetched: 1, fetched_last_7_days: 0, unlisted: 3 }],
  folders: [],
  days_without_data: ['2026-11-20'],
  pages_without_data: 2,
};

/** Fake instance with one project. */
let server: Server;
let folder: string;
let requests: unknown[];
let output: string;
const variables = { ...process.env };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sitemaps-'));
  server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    const isList = request.url === '/api/projects';
    if (!isList) requests.push([request.method, request.url, request.method === 'POST' ? await json(request) : null]);
    response.end(JSON.stringify(isList ? { projects: [{ id: PROJECT, name: 'Shop' }] } : RESPONSE));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  [requests, output] = [[], ''];
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

const url = `/api/projects/${PROJECT}`;

it('lists sitemaps with their problems', async () => {
  expect(await run(['sitemaps', 'list'], '/')).toBe(0);
  expect(requests).toEqual([['GET', `${url}/sitemaps`, null]]);
  expect(output).toMatch(/^4 pages in sitemaps\.$/m);
  expect(output).toMatch(/^https:\/\/shop\.example\/sitemap\.xml +2 +1 +is not valid XML \(line 3\)$/m);
});

it('reads sitemaps on request', async () => {
  expect(await run(['sitemaps', 'refresh', '--json'], '/')).toBe(0);
  expect(requests).toEqual([['POST', `${url}/sitemaps/refresh`, {}]]);
  expect(JSON.parse(output)).toMatchObject({ pages: 4 });
});

it('records a file', async () => {
  const file = join(folder, 'sitemap.txt');
  await writeFile(file, 'https://shop.example/a\n');
  expect(await run(['sitemaps', 'record', file, '--host', 'shop.example'], '/')).toBe(0);
  expect(requests).toEqual([['POST', `${url}/sitemaps`, { text: 'https://shop.example/a\n', host: 'shop.example' }]]);
});

it('records a compressed file', async () => {
  const file = join(folder, 'sitemap.xml.gz');
  const compressed = gzipSync('https://shop.example/a\n');
  await writeFile(file, compressed);
  expect(await run(['sitemaps', 'record', file], '/')).toBe(0);
  expect(requests).toEqual([['POST', `${url}/sitemaps`, { compressed_text: compressed.toString('base64') }]]);
});

it('prints the coverage of each agent', async () => {
  expect(await run(['report', 'coverage'], '/')).toBe(0);
  expect(requests).toEqual([['GET', `${url}/coverage`, null]]);
  expect(output).toMatch(
    /^4 pages in sitemaps\. 1 page fetched for training \(0 in the last 7 days\)\. No visits since 2 pages were added\. No visits at all on 1 of the last 30 days\.$/m,
  );
  expect(output).toMatch(/^GPTBot +AI training +1 +3 +3 +9 /m);
  expect(output).toMatch(/^other agents /m);
});
