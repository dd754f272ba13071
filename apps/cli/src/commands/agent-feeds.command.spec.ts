import { jest } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { verifySignedAgents } from '#libs/catalog';
import type { AgentFeed, FeedAgent } from '#libs/contracts';
import { InstanceClient } from '../client.js';
import { agentsCommand } from './agents.command.js';

const feed: AgentFeed = {
  id: 'd71f20a7-654a-5091-93d7-c783f37c5200',
  name: 'Crawlers',
  url: 'https://lists.example/agents.json',
  public_key: null,
  accepts_all: false,
  format: 'crawler-user-agents',
  signed_at: null,
  state: 'current',
  fault: null,
  fetched_at: '2026-11-21T08:30:00.000Z',
  next_refresh_at: null,
  created_at: '2026-11-21T08:30:00.000Z',
  counts: { proposed: 2, accepted: 1, dismissed: 0, known: 5, refused: 3, gone: 1 },
};
const proposal: FeedAgent = {
  feed_id: feed.id,
  feed_name: feed.name,
  agent_id: 'e71f20a7-654a-5091-93d7-c783f37c5200',
  token: 'Zyx\u001bbot',
  state: 'proposed',
  is_change: true,
  reason: null,
  record: {
    token: 'Zyx\u001bbot',
    type: 'Fetcher',
    operator: null,
    url: null,
    user_agent_patterns: ['Zyxbot'],
    robots_token: null,
    verification: {},
  },
  first_seen_at: '2026-11-21T08:30:00.000Z',
  gone_at: null,
};

let server: Server;
let folder: string;
let requests: { line: string; body: unknown }[];
let responses: Record<string, unknown>;
/** Problem responses by request line. */
let problems: Record<string, { status: number; detail: string }>;
let output: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feeds-'));
  server = createServer(async (request, response) => {
    const line = `${request.method} ${request.url}`;
    const body = request.headers['content-type'] === undefined ? undefined : await json(request);
    requests.push({ line, body });
    const problem = problems[line];
    response.statusCode = problem?.status ?? 200;
    response.end(JSON.stringify(problem ?? responses[line] ?? responses[line.split('?')[0]!] ?? {}));
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
  [requests, output, problems] = [[], '', {}];
  responses = {
    'GET /api/projects': { projects: [] },
    'GET /api/agent-feeds': { feeds: [feed] },
    'POST /api/agent-feeds': feed,
    'GET /api/agent-proposals': { agents: [proposal], total: 7 },
    'GET /api/agent-proposals/visits': {
      from: '',
      read: 1_200,
      is_estimate: true,
      proposals: [{ feed_id: feed.id, agent_id: proposal.agent_id, visits: 1_203 }],
    },
    'POST /api/agent-proposals/accept': { decided: 1, refused: [{ token: 'Other', reason: 'It is too general.' }] },
  };
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
    () => undefined,
  );
  await command.parseAsync(args, { from: 'user' });
  return output;
}
const getSentBodies = (method: string): unknown[] =>
  requests.filter(({ line }) => line.startsWith(method)).map(({ body }) => body);

it('adds a feed from a URL or a file and shows the result', async () => {
  const file = join(folder, 'agents.json');
  await writeFile(file, '[]');
  await run('feeds', 'add', 'Crawlers', 'https://lists.example/agents.json', '--always');
  await run('feeds', 'add', 'Ours', file);
  expect(getSentBodies('POST')).toEqual([
    { name: 'Crawlers', url: 'https://lists.example/agents.json', accepts_all: true },
    { name: 'Ours', document: '[]' },
  ]);
  expect(output).toContain('agents feeds proposals "Crawlers"\n');
  expect(output).toContain('agents feeds proposals "Crawlers" --state refused\n');
  responses['GET /api/agent-feeds'] = {
    feeds: [{ ...feed, state: 'failed', fault: 'The document is not valid JSON.' }],
  };
  await expect(run('feeds', 'refresh', 'crawlers')).rejects.toThrow(
    'Feed Crawlers could not be loaded. The document is not valid JSON.',
  );
  await expect(run('feeds', 'refresh', 'nothing')).rejects.toThrow("Feed nothing doesn't exist.");
});

it('leaves URL validation to the instance', async () => {
  await run('feeds', 'add', 'Ours', 'ftp://lists.example/agents.json');
  expect(getSentBodies('POST')).toEqual([{ name: 'Ours', url: 'ftp://lists.example/agents.json' }]);
});

it('suggests a command if a feed with the same name exists', async () => {
  const file = join(folder, 'agents.json');
  await writeFile(file, '[]');
  problems['POST /api/agent-feeds'] = { status: 409, detail: 'A feed named Crawlers already exists.' };
  const added = run('feeds', 'add', ' crawlers', file);
  await expect(added).rejects.toMatchObject({
    message: 'A feed named Crawlers already exists.',
    hint: 'To remove it first: agent-traffic agents feeds remove "Crawlers"',
  });
  responses['GET /api/agent-feeds'] = { feeds: [{ ...feed, url: null }] };
  await expect(run('feeds', 'add', 'Crawlers', file)).rejects.toMatchObject({
    hint: `To update it from this file: agent-traffic agents feeds refresh "Crawlers" "${file}"`,
  });
  await expect(run('feeds', 'add', 'Crawlers', 'https://lists.example/')).rejects.toMatchObject({
    hint: 'To remove it first: agent-traffic agents feeds remove "Crawlers"',
  });
  // The API also responds with 409 if there are too many feeds.
  await expect(run('feeds', 'add', 'Others', file)).rejects.toMatchObject({ hint: undefined });
});

it('lists feeds and their proposals', async () => {
  expect(await run('feeds', 'list')).toMatch(/^NAME +STATE +PROPOSED .*\nCrawlers +current +2 +1 +1 +3 /);
  output = '';
  expect(await run('feeds', 'proposals', 'crawlers')).toBe(
    `TOKEN                 TYPE     FEED      VISITS  PATTERNS
Zyx\\x1bbot (changed)  Fetcher  Crawlers  1,203   Zyxbot
Visits by unknown visitors in the last 7 days that each agent would match, based on 1,200 stored visits, a sample.
Showing 1 of 7. Use --limit to show more.
`,
  );
});

it('accepts selected agents, or all current and future agents', async () => {
  await run('feeds', 'accept', 'Crawlers', proposal.token);
  await run('feeds', 'accept', 'Crawlers', '--always');
  expect(getSentBodies('POST')).toEqual([{ feed_id: feed.id, agent_ids: [proposal.agent_id] }, { feed_id: feed.id }]);
  expect(getSentBodies('PATCH')).toEqual([{ accepts_all: true }]);
  const acceptedOutput =
    'Other was rejected: It is too general.\nAccepted 1 agent.\nNew visits are matched against it. To re-identify';
  expect(output.split(acceptedOutput)).toHaveLength(3);
  expect(output).toContain(`agent-traffic visits reidentify --agent 'Zyx\\x1bbot' --from`);
  expect(output).toContain('agent-traffic visits reidentify --from');
  await expect(run('feeds', 'accept', 'Crawlers')).rejects.toThrow('Specify either agent tokens or --all.');
});

it("explains why a feed doesn't propose an agent", async () => {
  for (const state of ['accepted', 'known', 'dismissed', 'refused']) {
    responses[`GET /api/agent-proposals?feed_id=${feed.id}&state=${state}&limit=1000`] = { agents: [], total: 0 };
  }
  const dismissed = run('feeds', 'dismiss', 'Crawlers', 'Nobody');
  await expect(dismissed).rejects.toThrow("The feed doesn't contain Nobody.");
  const found = (state: string, reason: string | null): void => {
    const agent = { ...proposal, token: 'AcmeFetch', state, reason };
    responses[`GET /api/agent-proposals?feed_id=${feed.id}&state=${state}&limit=1000`] = { agents: [agent], total: 1 };
  };
  found('known', 'The catalog already has it from another feed.');
  await expect(run('feeds', 'accept', 'Crawlers', proposal.token, 'acmefetch')).rejects.toThrow(
    "The feed doesn't propose AcmeFetch. The catalog already has it from another feed.",
  );
  found('accepted', null);
  await expect(run('feeds', 'accept', 'Crawlers', 'AcmeFetch')).rejects.toThrow(
    "The feed doesn't propose AcmeFetch. It was already accepted from this feed.",
  );
  expect(getSentBodies('POST')).toEqual([]);
});

it('signs an export with a private key', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  responses['GET /api/agents/export'] = [proposal.record];
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'signed.json')];
  await writeFile(keyFile, privateKey);
  await run('export', '--all', '--sign', keyFile, file);
  const { payload } = verifySignedAgents(JSON.parse(await readFile(file, 'utf8')), publicKey);
  expect(JSON.parse(payload.toString())).toEqual([proposal.record]);
  await writeFile(keyFile, publicKey);
  await expect(run('export', '--sign', keyFile, file)).rejects.toThrow("Can't sign with");
});
