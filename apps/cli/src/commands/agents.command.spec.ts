import { jest } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { InstanceClient } from '../client.js';
import { agentsCommand } from './agents.command.js';

const record = {
  token: 'Shop/Bot',
  type: 'Fetcher',
  operator: null,
  url: null,
  user_agent_patterns: ['ShopBot'],
  sample_user_agents: ['ShopBot'],
  robots_token: 'Shop/Bot',
  verification: {},
};
const servedAgent = {
  ...record,
  id: 'd71f20a7-654a-5091-93d7-c783f37c5200',
  origin: 'own',
  is_edited: false,
  changed_at: '2026-11-21T08:30:00.000Z',
};

let server: Server;
let folder: string;
let requests: { line: string; body: unknown }[];
let respond: (line: string, body: unknown) => { status?: number; body: unknown };
let output: string;
let exitCode: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agents-'));
  server = createServer(async (request, response) => {
    const line = `${request.method} ${request.url}`;
    const body = request.headers['content-type'] === undefined ? undefined : await json(request);
    requests.push({ line, body });
    const { status = 200, body: responseBody } = respond(line, body);
    response.writeHead(status).end(JSON.stringify(responseBody));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  [requests, output, exitCode] = [[], '', 0];
  respond = () => ({ body: servedAgent });
  const write = (text: string | Uint8Array): boolean => Boolean((output += String(text)));
  jest.spyOn(process.stdout, 'write').mockImplementation(write);
  jest.spyOn(console, 'log').mockImplementation((text: string) => void write(`${text}\n`));
  jest.spyOn(console, 'error').mockImplementation((text: string) => void write(`${text}\n`));
});
afterEach(() => jest.restoreAllMocks());

async function run(...args: string[]): Promise<string> {
  const client = new InstanceClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'agk_a');
  const command = agentsCommand(
    () => Promise.resolve({ client, token: undefined }),
    (code) => void (exitCode = code),
  );
  await command.parseAsync(args, { from: 'user' });
  return output;
}
const getRequestLines = (): string[] => requests.map(({ line }) => line);

it('fetches pages until it reaches the limit', async () => {
  respond = (line) => {
    const query = new URL(line.slice(4), 'http://x').searchParams;
    const agents = Array.from({ length: Number(query.get('limit')) }, () => servedAgent);
    return { body: { agents, next_cursor: query.get('cursor') === 'b' ? null : query.get('cursor') ? 'b' : 'a' } };
  };
  await run('list', '--own', '--type', 'Fetcher', '--limit', '250', '--json');
  expect(getRequestLines()).toEqual([
    'GET /api/agents?type=Fetcher&origin=own&limit=200',
    'GET /api/agents?type=Fetcher&origin=own&limit=50&cursor=a',
  ]);
  expect(output).toContain('Showing the first 250');
  expect(JSON.parse(output.slice(0, output.indexOf('\n]') + 2))).toHaveLength(250);

  respond = () => ({ body: { agents: [], next_cursor: null } });
  expect(await run('list', '--search', 'x y')).toContain('No agents match.');
  expect(getRequestLines().at(-1)).toBe('GET /api/agents?search=x+y&limit=50');
});

it('adds an agent with the given options', async () => {
  respond = (line) => ({ body: line === 'GET /api/projects' ? { projects: [] } : servedAgent });
  await run('add', '--token', 'Shop/Bot', '--type', 'Fetcher', '--pattern', 'ShopBot', '--json');
  expect(requests).toEqual([{ line: 'POST /api/agents', body: record }]);
  expect(JSON.parse(output)).toEqual(servedAgent);
  await run(
    'add',
    '--token',
    'X',
    '--type',
    'Fetcher',
    '--pattern',
    'X-Bot',
    '--ip-list',
    'https://x.example/?a=b=text',
  );
  expect(requests[1]?.body).toMatchObject({
    verification: { ip_list_urls: [{ url: 'https://x.example/?a=b', format: 'text' }] },
  });
});

it('adds an agent with behaviors', async () => {
  respond = (line) => ({ body: line === 'GET /api/projects' ? { projects: [] } : servedAgent });
  const add = ['add', '--token', 'Shop/Bot', '--type', 'Fetcher', '--pattern', 'ShopBot', '--json'];
  await run(...add, '--behavior', 'search', 'training');
  expect(requests[0]?.body).toEqual({ ...record, behaviors: ['search', 'training'] });
});

it('suggests a command per project to re-identify earlier visits by a new agent', async () => {
  const names = ['Shop', 'Blog\u001b', 'C', 'D', 'E', 'F'];
  let projects = names.slice(0, 1).map((name) => ({ id: `id-of-${name}`, name }));
  respond = (line) => ({ body: line === 'GET /api/projects' ? { projects } : servedAgent });
  const addAgent = (): Promise<string> =>
    run('add', '--token', 'Shop/Bot', '--type', 'Fetcher', '--pattern', 'ShopBot');
  const command = /agent-traffic visits reidentify --agent 'Shop\/Bot' --from \S+ --to \S+/.source;
  expect(await addAgent()).toMatch(new RegExp(`^Added Shop/Bot\\..*:\n${command}\n`));
  output = '';
  projects = names.map((name, index) => ({ id: `id-${index}`, name }));
  expect(await addAgent()).toMatch(
    new RegExp(`:\nIn Shop:\n${command} --project id-0\nIn Blog\\\\x1b:\n${command} --project id-1\n`),
  );
  expect(output).toContain('--project id-4\nFor the IDs of other projects: agent-traffic projects list\n');
});

it('sends the entire record without read-only fields when it edits an agent', async () => {
  await run('edit', 'shop/bot', '--operator', 'Shop', '--clear', 'robots-token');
  expect(requests).toEqual([
    { line: 'GET /api/agents/shop%2Fbot', body: undefined },
    { line: 'PUT /api/agents/Shop%2FBot', body: { ...record, operator: 'Shop', robots_token: null } },
  ]);
});

it('removes an agent and reports whether the bundled version was restored', async () => {
  expect(await run('remove', 'shop/bot')).toBe('Shop/Bot was removed.\n');
  expect(getRequestLines()).toEqual(['GET /api/agents/shop%2Fbot', 'DELETE /api/agents/Shop%2FBot']);
  respond = () => ({ body: { ...servedAgent, origin: 'bundled', is_edited: true } });
  expect(await run('remove', 'shop/bot')).toContain('was restored to the version included in this release');
});

it('exports a file that it can import', async () => {
  const file = join(folder, 'agents.json');
  respond = () => ({ body: [record] });
  await run('export', '--all', file);
  expect(await readFile(file, 'utf8')).toBe(`${JSON.stringify([record], null, 1)}\n`);
  expect(output).toContain('Wrote 1 agent to');
  respond = () => ({ body: { added: 1, changed: 2, unchanged: 3, removed: 0 } });
  expect(await run('import', file)).toContain('1 added, 2 changed, 3 unchanged.');
  expect(requests).toEqual([
    { line: 'GET /api/agents/export?origin=all', body: undefined },
    { line: 'POST /api/agents/import', body: [record] },
  ]);
});

it("shows every fault in an import with its agent's token", async () => {
  const file = join(folder, 'faulty.json');
  await writeFile(file, JSON.stringify([record]));
  const errors = Array.from({ length: 7 }, (_, index) => ({ pointer: `/0/sources/${index}`, detail: 'is wrong' }));
  respond = () => ({ status: 422, body: { detail: 'Faults.', errors } });
  await expect(run('import', file)).rejects.toMatchObject({
    message: expect.stringMatching(/Fix these errors in .*:(\n {2}\/0\/sources\/\d \(Shop\/Bot\) is wrong){7}$/),
  });
});

it('checks an import file without contacting an instance', async () => {
  const file = join(folder, 'checked.json');
  await writeFile(file, JSON.stringify([record]));
  expect(await run('check', file)).toBe('1 agent with 1 pattern: no errors.\n');
  expect([exitCode, requests]).toEqual([0, []]);
  await writeFile(file, JSON.stringify([record, { ...record, user_agent_patterns: ['Sh('] }]));
  expect(await run('check', file)).toMatch(
    /\/1\/user_agent_patterns\/0 \(Shop\/Bot\) has a capturing group .* at position 3: .*\n\/1\/token \(Shop\/Bot\) must be unique, but \/0 has the same token\n2 errors\. Valid: 1 of 2 agents\.\n$/,
  );
  expect(exitCode).toBe(1);
  await writeFile(file, '[{]');
  await expect(run('check', file)).rejects.toThrow('is not valid JSON');
});
