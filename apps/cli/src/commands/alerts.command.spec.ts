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
  text: '25 visits in an hour claimed to be GPTBot, but failed verification.',
};

/** Responses from an instance with one project, by request line. */
const RESPONSES: Record<string, object> = {
  'GET /api/projects': { projects: [{ id: PROJECT, name: 'Shop' }] },
  [`GET /api/projects/${PROJECT}/alerts`]: {
    alerts: [
      alert,
      { ...alert, operator: null, agent_token: 'GPTBot', state: 'ok', muted_until: '2999-01-01T00:00:00Z' },
    ],
    kinds: [{ kind: 'spoofing', label: 'Visits fail verification' }],
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
const rateLimitedPaths = new Set<string>();
let server: Server;
let output: string;
const variables = { ...process.env };

beforeAll(async () => {
  server = createServer((request, response) => {
    const responseBody = RESPONSES[`${request.method} ${request.url}`];
    const status = rateLimitedPaths.has(request.url!) ? 429 : responseBody === undefined ? 404 : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(responseBody ?? { detail: `${request.method} ${request.url}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  rateLimitedPaths.clear();
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

const runAlerts = (...words: string[]): Promise<number> => run(['alerts', ...words], '/nowhere');

it('lists each alert with its scope and state', async () => {
  expect(await runAlerts('list')).toBe(0);
  expect(output).toMatch(/Visits fail verification +OpenAI +firing +never/);
  expect(output).toMatch(/Visits fail verification +GPTBot +ok, muted until 2999-01-01/);
});

it('lists alert events', async () => {
  expect(await runAlerts('history')).toBe(0);
  expect(output).toMatch(/2026-11-20 .* - +25 visits in an hour claimed to be GPTBot, but failed verification\./);
  output = '';
  await runAlerts('history', '--json');
  expect(JSON.parse(output)).toEqual([event]);
});

it('tests one or all channels and fails if any test fails', async () => {
  expect(await runAlerts('test', 'Web team')).toBe(0);
  expect(output).toBe('Web team: delivered\n');
  output = '';
  expect(await runAlerts('test')).toBe(1);
  expect(output).toContain('Web team: delivered\nChat: failed. Status 500.\n');
  expect(output).toContain('1 of 2 tests failed.');
  expect(await runAlerts('test', 'Nobody')).toBe(1);
  expect(output).toContain('Channel "Nobody" doesn\'t exist. Available channels: Web team, Chat.');
});

it('prints the results from completed channel tests if a later one is rejected', async () => {
  rateLimitedPaths.add(`/api/projects/${PROJECT}/alert-channels/${BAD}/test`);
  expect(await runAlerts('test')).toBe(1);
  expect(output).toMatch(/^Web team: delivered\n./);
  output = '';
  expect(await runAlerts('test', '--json')).toBe(1);
  const printedJson = output.slice(0, output.indexOf('error: '));
  expect(JSON.parse(printedJson)).toEqual([{ channel: 'Web team', delivery: { state: 'delivered', error: null } }]);
});
