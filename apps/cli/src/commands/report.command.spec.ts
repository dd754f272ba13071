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
  const report = args[0]?.startsWith('-') === false ? [] : ['compliance'];
  const client = new InstanceClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'agk_a');
  const program = new Command().enablePositionalOptions();
  program.addCommand(reportCommand(() => Promise.resolve({ client, token: undefined })));
  await program.parseAsync(['report', ...report, ...args], { from: 'user' });
}

it('prints a summary and a table for the last 30 days', async () => {
  await run('--to', '2026-11-21T00:00:00Z');
  expect(requestedUrl.pathname).toBe('/api/projects/p1/compliance');
  expect(Object.fromEntries(requestedUrl.searchParams)).toEqual({
    from: '2026-10-22T00:00:00.000Z',
    to: '2026-11-21T00:00:00Z',
  });
  expect(output).toContain('2 disallowed visits by 1 of 1 crawler, 25% of 8 judged visits.');
  expect(output).toContain('Not counted: 4 on behalf of people, 3 that failed verification.');
  expect(output).toContain(
    'Not judged: 1,200 visits while robots.txt was unreachable, 1 visit while no version was known.',
  );
  expect(output).toMatch(/^GPTBot +OpenAI +8 +2 +25% +2 +1 +1 +0 +- +-$/m);
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

it('breaks the load down by a property', async () => {
  await run('load', '--by', 'pattern', '--json');
  expect(requestedUrl.pathname).toBe('/api/projects/p1/load');
  expect(requestedUrl.searchParams.get('by')).toBe('pattern');
});

it('prints facts about how agents crawl', async () => {
  const day = {
    date: '2026-11-20',
    is_so_far: false,
    is_partial: true,
    visits: 1_200,
    spoofed: 3,
    robots: { judged: 1_200, disallowed: 4 },
    robots_fetch: { visits: 1_100, after_fetch: 1_000 },
    crawl_delay: { requested_ms: 10_000, median_gap_ms: 400, gaps: 99, shorter_gaps: 90, resolution_ms: 1 },
    retry_after: { responses: 2, with_headers: 2, with_retry_after: 1, early_requests: 7 },
    refetches: { requests: 40, not_modified: 5, conditional: 10 },
    peak: { requests: 25 },
    highlights: ['crawl_delay', 'retry_after'],
  };
  const bare = {
    ...day,
    date: '2026-11-19',
    is_so_far: true,
    is_partial: false,
    robots: { judged: 0, disallowed: 0 },
    robots_fetch: null,
    crawl_delay: {
      ...day.crawl_delay,
      requested_ms: 1_000,
      median_gap_ms: 0,
      shorter_gaps: null,
      resolution_ms: 1_000,
    },
    retry_after: { responses: 2, with_headers: 0, with_retry_after: 0, early_requests: 0 },
    refetches: { requests: 40, not_modified: 5, conditional: null },
    peak: null,
    highlights: [],
  };
  agents = [{ ...AGENT, days: [day, bare] }];
  await run('conduct');
  expect(requestedUrl.pathname).toBe('/api/projects/p1/conduct');
  expect(output).toContain('2 days of 1 agent. 1 marked with !.');
  expect(output).toMatch(
    /^GPTBot +2026-11-20 ! +first 1,200 +4 of 1,200 +1,000 of 1,100 +10 s, median 0\.4 s +7 +10 of 40 +25$/m,
  );
  expect(output).toMatch(
    /^GPTBot +2026-11-19 \(so far\) +1,200 +- +- +1 s, median under 1 s \(whole seconds\) +not reported +5 × 304 of 40 +-$/m,
  );
  output = '';
  await run('conduct', '--csv');
  expect(output.split('\r\n')[1]).toBe(
    'GPTBot,2026-11-20,1200,true,3,1200,4,1000,1100,10,0.4,99,90,2,7,40,10,5,25,crawl_delay retry_after',
  );
});

it('explains that no visits were judged by robots.txt', async () => {
  agents = [];
  await run();
  expect(output).toMatch(/^No visits by agents were judged/);
});
