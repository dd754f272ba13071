import { jest } from '@jest/globals';
import { Command } from 'commander';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InstanceClient } from '../client.js';
import { reportCommand } from './report.command.js';

const NUMBERS = {
  allowed: 6,
  disallowed: 2,
  no_rules: 0,
  unreachable: 0,
  unknown: 0,
  disallowed_served: 1,
  disallowed_forbidden: 1,
  allowed_forbidden: 0,
  spoofed: 3,
  spoofed_disallowed: 3,
};
const AGENT = {
  ...NUMBERS,
  agent_id: '0',
  agent_token: 'GPTBot',
  agent_type_name: 'AI Data Scraper',
  operator_name: 'OpenAI',
  is_user_triggered: false,
  disallowed_verified: 2,
  first_disallowed_at: '2026-11-20T08:00:00.000Z',
  last_disallowed_at: null,
  last_robots_fetch_at: null,
  read_before: { visits: 1, of: 2 },
};
const TOTALS = {
  ...NUMBERS,
  disallowing_agents: 1,
  unreachable: 1_200,
  unknown: 1,
  user_triggered_disallowed: 4,
};

let server: Server;
let requestedUrl: URL;
let agents: object[];
let output: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const isList = request.url === '/api/projects';
    if (!isList) requestedUrl = new URL(request.url!, 'http://localhost');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isList ? { projects: [{ id: 'p1', name: 'My site' }] } : { totals: TOTALS, agents }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(() => server.close());
beforeEach(() => {
  [output, agents] = ['', [AGENT]];
  jest.spyOn(console, 'log').mockImplementation((text: string) => void (output += `${text}\n`));
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
});
afterEach(() => jest.restoreAllMocks());

async function run(...args: string[]): Promise<void> {
  const client = new InstanceClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'agk_a');
  const program = new Command().enablePositionalOptions();
  program.addCommand(reportCommand(() => Promise.resolve({ client, token: undefined })));
  await program.parseAsync(['report', 'compliance', ...args], { from: 'user' });
}

it('prints a summary and a table for the last 30 days', async () => {
  await run('--to', '2026-11-21T00:00:00Z');
  expect(requestedUrl.pathname).toBe('/api/projects/p1/compliance');
  expect(Object.fromEntries(requestedUrl.searchParams)).toEqual({
    from: '2026-10-22T00:00:00.000Z',
    to: '2026-11-21T00:00:00Z',
  });
  expect(output).toContain('2 disallowed visits by 1 agent, 25.0% of 8 judged visits.');
  expect(output).toContain('Not counted: 4 on behalf of people, 3 spoofed.');
  expect(output).toContain(
    'Not judged: 1,200 visits while robots.txt was unreachable, 1 visit while no version was known.',
  );
  expect(output).toMatch(/^GPTBot +OpenAI +8 +2 +25\.0% +2 +1 +1 +0 +- +-$/m);
});

it('marks user-triggered agents and escapes names for the terminal', async () => {
  agents = [{ ...AGENT, agent_token: 'Evil\u001b[2J', is_user_triggered: true }];
  await run();
  expect(output).toMatch(/^Evil\\x1b\[2J \* /m);
});

it('prints the report as CSV with a column for each number, or as JSON', async () => {
  await run('--csv');
  const [head, row] = output.split('\r\n');
  expect(head).toMatch(/^agent,operator,type,user_triggered,judged,disallowed,share,/);
  expect(row).toMatch(/^GPTBot,OpenAI,AI Data Scraper,false,8,2,0\.25,2,1,1,0,,,2026-11-20T08:00:00\.000Z,1,2,/);
  output = '';
  await run('--json');
  expect(JSON.parse(output)).toEqual({ totals: TOTALS, agents: [AGENT] });
});

it('explains that no visits were judged by robots.txt', async () => {
  agents = [];
  await run();
  expect(output).toMatch(/^No visits by agents were judged/);
});
