import { toolsReport } from './tools.report.js';

const answer = {
  series: [
    { time: '2026-11-20T00:00:00.000Z', calls: 1_200, errors: 30 },
    { time: '2026-11-21T00:00:00.000Z', calls: 3, errors: 3 },
  ],
  tools: [
    { tool: 'search', calls: 1_200, errors: 30, callers: 2, clients: 1, p50_ms: 83, p95_ms: 1_880, timed_calls: 900 },
  ],
  unknown_tools: [{ tool: 'serach', calls: 3 }],
  checkouts: [
    { protocol: 'acp', state: 'completed', currency: 'EUR', checkouts: 2, total: 123_450, minor_digits: 2 },
    { protocol: 'acp', state: 'completed', currency: 'JPY', checkouts: 1, total: 900, minor_digits: 0 },
    { protocol: 'acp', state: 'canceled', currency: 'EUR', checkouts: 1, total: 5, minor_digits: 2 },
  ],
};
const read = (given: object) => toolsReport.read(given as never);

it('lists tools and summarizes calls and checkouts', () => {
  const { summary, rows, headings } = read(answer);
  expect(summary).toBe(
    '1,203 calls to tools, 33 failed (2.7%), and 1 unknown tool requested. ' +
      '4 checkouts over ACP, 3 completed (75%): EUR 1,234.50, JPY 900.',
  );
  expect(headings).toEqual(['TOOL', 'CALLS', 'ERRORS', 'CALLERS', 'CLIENTS', 'P50', 'P95']);
  expect(rows).toEqual([
    ['search', '1,200', '30', '2', '1', '83 ms', '1,880 ms'],
    ['serach *', '3', '3', '-', '-', '-', '-'],
  ]);
});

it('writes huge durations in scientific notation', () => {
  const [row] = read({ ...answer, tools: [{ ...answer.tools[0], p50_ms: 999_999_999_999, p95_ms: 1.234e308 }] }).rows;
  expect(row!.slice(-2)).toEqual(['999,999,999,999 ms', '1.2e+308 ms']);
});

it('writes plain numbers to CSV', () => {
  expect(read(answer).csv).toEqual([
    ['tool', 'unknown', 'calls', 'errors', 'callers', 'clients', 'p50', 'p95', 'timed_calls'],
    ['search', false, 1_200, 30, 2, 1, 83, 1_880, 900],
    ['serach', true, 3, 3, undefined, undefined, undefined, undefined, undefined],
  ]);
});

it('shows checkouts even if no tools were called', () => {
  const nothing = { ...answer, series: [], tools: [], unknown_tools: [] };
  expect(read(nothing).empty).toMatch(/^4 checkouts over ACP/);
  expect(read({ ...nothing, checkouts: [] }).empty).toBe(
    'No tools were called and no checkouts were started in this range.',
  );
});
