import { jest } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { PolicyEffect, PolicyRule } from '#libs/contracts';
import { run } from '../main.js';

const PROJECT = '019a0000-0000-7000-8000-000000000000';
const ID = '018f0000-0000-7000-8000-000000000001';
const EXCEPTION_ID = '018f0000-0000-7000-8000-000000000002';
const RULE: PolicyRule = {
  id: ID,
  name: 'Training',
  mode: 'live',
  visitors: { purposes: ['training'] },
  action: { kind: 'slow_down', requests_per_minute: 60 },
  exceptions: [{ id: EXCEPTION_ID, requests: { paths: ['/docs/'] }, action: { kind: 'allow' } }],
};

const OUTCOMES = { allowed: 0, slowed: 20, redirected: 0, charged: 0, refused: 0 };
const CAME_BACK = {
  requests: 20,
  inside_retry_after: 5,
  after_retry_after: 12,
  without_retry_after: 0,
  not_again: 3,
  median_seconds: 60,
};
const EFFECT: PolicyEffect = {
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-11-30T00:00:00.000Z',
  rule_ids: [ID, EXCEPTION_ID],
  bucket: '1d',
  live_since: '2026-11-10T00:00:00.000Z',
  live_until: null,
  live: OUTCOMES,
  dry_run: { ...OUTCOMES, slowed: 0 },
  series: [],
  visits: 20,
  counted_from: '2026-11-01T00:00:00.000Z',
  returns_from: '2026-11-01T00:00:00.000Z',
  came_back: CAME_BACK,
  saved_bytes: 2_500_000,
  saved_milliseconds: null,
  agents: [
    {
      agent_id: ID,
      agent_token: 'GPTBot',
      agent_type_name: null,
      operator_name: 'OpenAI',
      is_spoofed: true,
      came_back: CAME_BACK,
      visit_ids: [],
      as_others: [],
      served_responses: 10,
      saved_bytes: 2_500_000,
      saved_milliseconds: null,
    },
  ],
  agents_total: 3,
  referrals: { days: 20, operators: [{ operator_name: 'OpenAI', before: 12, after: 9 }] },
  people: { visits: 0, examples: [] },
};

/** Fake instance with one project. */
let server: Server;
let folder: string;
let current: PolicyRule[];
let saved: { rules: PolicyRule[] } | null;
let output: string;
let requested: string;
const variables = { ...process.env };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'policy-'));
  server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json');
    const respond = (body: object): void => void response.end(JSON.stringify(body));
    if (request.url === '/api/projects') return respond({ projects: [{ id: PROJECT, name: 'Shop' }] });
    if (request.method === 'PUT') saved = (await json(request)) as { rules: PolicyRule[] };
    if (request.url?.includes('/effect')) {
      requested = request.url;
      return respond(EFFECT);
    }
    if (request.url?.endsWith('/limits?server=haproxy')) {
      const files = [{ name: 'agents.map', purpose: 'Put it in /etc/haproxy', text: 'a 1\n' }];
      return respond({ agents: 1, files, ignored_rules: ['Paths'] });
    }
    if (request.url?.endsWith('/counts')) {
      return respond({
        counts: [
          { rule_id: ID, mode: 'live', outcome: 'allowed', decisions: 1_000 },
          { rule_id: ID, mode: 'live', outcome: 'slowed', decisions: 20 },
          { rule_id: EXCEPTION_ID, mode: 'live', outcome: 'allowed', decisions: 3 },
        ],
      });
    }
    respond({ version: null, rules: saved?.rules ?? current });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  [current, saved, output] = [[RULE], null, ''];
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

const policy = (...args: string[]) => run(['policy', ...args], '/nowhere');

async function apply(content: unknown): Promise<number> {
  const file = join(folder, 'policy.json');
  await writeFile(file, JSON.stringify(content));
  return policy('apply', file);
}

it('shows rules in order with their counts', async () => {
  expect(await policy('show')).toBe(0);
  expect(output).toMatch(/1 +Training +live +slow down to 60\/min +1 +1,023 +20/);
});

it('prints rules that can be applied again', async () => {
  await policy('show', '--json');
  expect(await apply(JSON.parse(output))).toBe(0);
  expect(saved).toEqual({ rules: [RULE] });
});

it('starts new rules in dry run, and identifies current ones by name', async () => {
  const { id: _id, mode: _mode, exceptions, ...training } = RULE;
  const exception = { requests: exceptions![0]!.requests, action: exceptions![0]!.action };
  const added = { name: 'Rest', action: { kind: 'refuse' } };
  expect(await apply([added, { ...training, exceptions: [exception] }])).toBe(0);
  expect(saved!.rules).toEqual([{ ...added, id: expect.stringMatching(/^[\da-f-]{36}$/), mode: 'dry_run' }, RULE]);
  expect(output).toContain('Saved 2 rules, 1 of them live.');
});

it.each([[{}], ['rules'], [[1]]])('rejects a file without rules: %j', async (content) => {
  expect(await apply(content)).toBe(2);
  expect(output).toContain("policy.json doesn't contain rules.");
  expect(saved).toBeNull();
});

it.each(['training', '1', ID.toUpperCase()])('shows the effect of the rule %s', async (rule) => {
  expect(await policy('effect', rule, '--days', '7')).toBe(0);
  expect(requested).toBe(`/api/projects/${PROJECT}/policy/rules/${ID}/effect?days=7`);
  expect(output).toMatch(/claims to be GPTBot +20 +5 +12 +0 +3 +0 +2.5 MB/);
  expect(output).toContain('2 other visitors not shown.');
  expect(output).toContain('Saved (estimate): 2.5 MB, server time not reported.');
  expect(output).toContain('Referrals by OpenAI in 20.0 days: 12 before, 9 after.');
});

it('lists the rules if none has the name', async () => {
  expect(await policy('effect', 'Trainings')).toBe(2);
  expect(output).toContain('No rule is named "Trainings":\n  1  Training');
});

it('explains how to add rules if there are none', async () => {
  current = [];
  expect(await policy('show')).toBe(0);
  expect(output).toContain('This project has no rules.');
});

it('writes limits to files that changed', async () => {
  const write = () => policy('limits', '--server', 'haproxy', '--output', folder);
  expect(await write()).toBe(0);
  const file = join(folder, 'agents.map');
  expect(await readFile(file, 'utf8')).toBe('a 1\n');
  expect(output).toContain(`Wrote ${file}. Put it in /etc/haproxy.`);
  output = '';
  await write();
  expect(output).toBe('Ignored, because they depend on more than the agent: Paths\n');
});
