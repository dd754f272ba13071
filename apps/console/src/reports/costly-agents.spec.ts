import type { LoadReport } from '#libs/contracts';
import type { Prices } from '#libs/contracts/load-cost';
import { listCostlyAgents } from './costly-agents.js';

const HOUR_MS = 3_600_000;
const NO_PRICES = { price_per_gb: null, price_per_server_hour: null, currency: 'USD' };
const PRICES = { price_per_gb: 0.09, price_per_server_hour: 2.5, currency: 'USD' };

/** Each row contains an agent, the bytes sent to it, and the hours of server time that it used. */
function createReport(...agents: [id: string | null, bytes: number | null, hours: number | null][]): LoadReport {
  const rows = agents.map(([id, bytes, hours]) => ({
    value: id,
    agent_token: id,
    bytes,
    server_time_ms: hours === null ? null : hours * HOUR_MS,
  }));
  const sum = (values: (number | null)[]): number | null =>
    values.every((value) => value === null) ? null : values.reduce<number>((all, value) => all + (value ?? 0), 0);
  const total = {
    bytes: sum(rows.map(({ bytes }) => bytes)),
    server_time_ms: sum(rows.map((row) => row.server_time_ms)),
  };
  return { total, rows } as unknown as LoadReport;
}

const list = (report: LoadReport, prices: Prices) => {
  const found = listCostlyAgents(report, prices);
  return found && [found.text, ...found.agents.map(({ agent_token: token, value }) => `${token}: ${value}`)];
};

const REPORT = createReport(['A', 41e9, 1], ['B', 2e9, 15], ['C', 1e6, 0.1], ['D', 9e9, 0], [null, 1e12, 99]);

it('lists the three agents that cost the most', () => {
  expect(list(REPORT, PRICES)).toEqual(['Agents cost you about $382.43.', 'B: $37.68', 'A: $6.19', 'D: $0.81']);
});

it('leaves out agents whose cost is rounded to zero', () => {
  expect(list(createReport(['A', 1e9, 0], ['B', 1e3, 0]), PRICES)).toEqual([
    'Agents cost you about $0.09.',
    'A: $0.09',
  ]);
});

it('lists the agents that were sent the most bytes if no prices are set', () => {
  expect(list(REPORT, NO_PRICES)).toEqual(['Your site sent 1,050 GB to agents.', 'A: 41 GB', 'D: 9 GB', 'B: 2 GB']);
});

it('lists the agents that used the most server time if no sizes were reported', () => {
  const report = createReport(['A', null, 0.25], ['B', null, 15]);
  expect(list(report, NO_PRICES)).toEqual(['Agents used 15 h 15 min of server time.', 'B: 15 h', 'A: 15 min']);
  expect(list(report, { ...NO_PRICES, price_per_gb: 1 })).toEqual(list(report, NO_PRICES));
});

it('returns null if neither sizes nor times were reported', () => {
  expect(list(createReport(['A', null, null]), PRICES)).toBeNull();
  expect(list(createReport(), NO_PRICES)).toBeNull();
});
