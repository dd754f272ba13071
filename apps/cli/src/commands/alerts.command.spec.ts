import { jest } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { run } from '../main.js';

const PROJECT = '019a0000-0000-7000-8000-000000000000';
const [GOOD, BAD] = [1, 2].map((number) => `019a0000-0000-7000-8000-00000000000${number}`);
const alert = {
  kind: 'spoofing',
  agent_token: null,
  agent_id: null,
  agent_type: null,
  operator: 'OpenAI',
  state: 'firing',
  muted_until: null,
  last_fired_at: null,
};
const event = {
  fired_at: '2026-11-20T09:15:00.000Z',
  recovered_at: null,
  text: 'GPTBot was spoofed in 25 visits in an hour.',
};

/** Responses of an instance with one project, by request line. */
const ANSWERS: Record<string, object> = {
  'GET /api/projects': { projects: [{ id: PROJECT, name: 'Shop' }] },
  [`GET /api/projects/${PROJECT}/alerts`]: {
    alerts: [
      alert,
      { ...alert, operator: null, agent_token: 'GPTBot', state: 'ok', muted_until: '2999-01-01T00:00:00Z' },
    ],
    kinds: [{ kind: 'spoofing', label: 'Spoofing of an agent' }],
  },
  [`GET /api/projects/${PROJECT}/alert-events`]: { events: [event] },
  [`GET /api/projects/${PROJECT}/alert-channels`]: {
    channels: [
      { id: GOOD, name: 'Web team' },
      { id: BAD, name: 'Chat' },
    ],
  },
  [`POST /api/projects/${PROJECT}/alert-channels/${GOOD}/test`]: { state: 'delivered', error: null },
  [`POST /api/projects/${PROJECT}/alert-channels/${BAD}/test`]: { state: 'failed', error: 'Status 500.' },
};

/** Paths that respond with 429 Too Many Requests. */
const refused = new Set<string>();
let server: Server;
let output: string;
const variables = { ...process.env };

beforeAll(async () => {
  server = createServer((request, response) => {
    const answer = ANSWERS[`${request.method} ${request.url}`];
    const status = refused.has(request.url!) ? 429 : answer === undefined ? 404 : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { detail: `${request.method} ${request.url}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  refused.clear();
  output = '';
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

const call = (...words: string[]): Promise<number> => run(['alerts', ...words], '/nowhere');

it('lists alerts with their scope and state', async () => {
  expect(await call('list')).toBe(0);
  expect(output).toMatch(/Spoofing of an agent +OpenAI +firing +never/);
  expect(output).toMatch(/Spoofing of an agent +GPTBot +ok, muted until 2999-01-01/);
});

it('lists alert events', async () => {
  expect(await call('history')).toBe(0);
  expect(output).toMatch(/2026-11-20 .* - +GPTBot was spoofed in 25 visits in an hour\./);
  output = '';
  await call('history', '--json');
  expect(JSON.parse(output)).toEqual([event]);
});

it('tests channels and fails if any test fails', async () => {
  expect(await call('test', 'Web team')).toBe(0);
  expect(output).toBe('Web team: delivered\n');
  output = '';
  expect(await call('test')).toBe(1);
  expect(output).toContain('Web team: delivered\nChat: failed. Status 500.\n');
  expect(output).toContain('1 of 2 tests failed.');
  expect(await call('test', 'Nobody')).toBe(1);
  expect(output).toContain('No channel is called "Nobody". There are: Web team, Chat.');
});

it('prints the results of the tests that ran before one was rejected', async () => {
  refused.add(`/api/projects/${PROJECT}/alert-channels/${BAD}/test`);
  expect(await call('test')).toBe(1);
  expect(output).toMatch(/^Web team: delivered\n./);
  output = '';
  expect(await call('test', '--json')).toBe(1);
  const told = output.slice(0, output.indexOf('error: '));
  expect(JSON.parse(told)).toEqual([{ channel: 'Web team', delivery: { state: 'delivered', error: null } }]);
});
