import { loadReport } from './load.report.js';

const load = {
  requests: 1_200,
  bytes: 5_250_000,
  bytes_requests: 1_200,
  server_time_ms: 61_234.5,
  p95_ms: 150.25,
  timed_requests: 1_200,
  peak: { requests: 40, time: '2026-11-21T08:00:10.000Z' },
  not_modified: 3,
  status_requests: 1_200,
  repeats: 12,
  cache_hits: 0,
  cache_requests: 0,
};
const rows = [
  { ...load, value: 'id', agent_token: 'GPTBot' },
  { ...load, value: null, agent_token: null, bytes: null, server_time_ms: null, p95_ms: null, repeats: null },
];
const read = (given: object) => loadReport.read({ rows, total: load, sample: null, not_stored: 0, ...given } as never);

it('lists the load of each agent', () => {
  const { summary, headings, rows: lines, csv } = read({});
  expect(summary).toBe('1,200 requests, 5.3 MB, 1 min 1 s of server time.');
  expect(headings).toEqual(['AGENT', 'REQUESTS', 'MB', 'SERVER TIME', 'P95', 'PEAK', 'REPEATS']);
  expect(lines).toEqual([
    ['GPTBot', '1,200', '5.3', '1 min 1 s', '150 ms', '40', '12'],
    ['Unknown visitors', '1,200', 'not reported', 'not reported', 'not reported', '40', '-'],
  ]);
  expect(csv[0]).toContain('requests_with_cache_result');
  expect(csv[1]!.slice(0, 5)).toEqual(['GPTBot', 1_200, 5_250_000, 5.25, 1_200]);
});

it('names the groups of other breakdowns', () => {
  const read = (by: string) => loadReport.read({ rows: named, total: load, sample: null, not_stored: 0 } as never, by);
  const named = ['/docs/*', '', null].map((value) => ({ ...load, value, agent_token: null }));
  const pattern = read('pattern');
  expect(pattern.headings[0]).toBe('PATTERN');
  expect(pattern.rows.map(([name]) => name)).toEqual(['/docs/*', 'No pattern', 'No pattern']);
  expect(read('operator').rows.map(([name]) => name)).toEqual(['/docs/*', 'No operator', 'Unknown visitors']);
});

it('neither rounds small values to zero nor shows unreported ones as numbers', () => {
  expect(read({ total: { ...load, requests: 1, bytes: 5_000, server_time_ms: 12.5 } }).summary).toBe(
    '1 request, under 0.1 MB, 13 ms of server time.',
  );
  expect(read({ total: { ...load, requests: 1, bytes: null, server_time_ms: null } }).summary).toBe(
    '1 request, sizes not reported, times not reported.',
  );
});

it('describes estimates and visits that are not stored', () => {
  expect(read({ sample: { visits_read: 100, visits: 2_000_000 } }).summary).toBe(
    'About 1,200 requests, 5.3 MB, 1 min 1 s of server time. Estimated from 100 visits.',
  );
  expect(read({ not_stored: 7 }).summary).toMatch(/ Visits that aren't stored: 7\.$/);
});
