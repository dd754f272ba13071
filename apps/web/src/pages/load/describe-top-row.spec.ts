import { describeTopRow } from './describe-top-row.js';

const PRICES = { price_per_gb: 0.09, price_per_server_hour: 2.5, currency: 'USD' };
const HOUR_MS = 3_600_000;
const load = (requests: number, bytes: number | null, hours: number | null) => ({
  requests,
  bytes,
  server_time_ms: hours === null ? null : hours * HOUR_MS,
});
const TOP = load(1_000, 20e9, 2);
const TOTAL = load(4_000, 30e9, 3);
const describe = (measure: Parameters<typeof describeTopRow>[2], top = TOP, total = TOTAL, project = PRICES) =>
  describeTopRow(top, total, measure, { project, mark: (text) => text });

it('names the main cause of a cost', () => {
  expect(describe('cost')).toBe('cost you $6.80 of $10.20 (67%), mostly server time (2 h).');
  expect(describe('cost', load(1_000, 50e9, 0.1), load(4_000, 60e9, 3))).toBe(
    'cost you $4.75 of $12.90 (37%), mostly data sent (50.0 GB).',
  );
  expect(describe('cost', load(1_000, 50e9, 2), load(4_000, 60e9, 3))).toBe(
    'cost you $9.50 of $12.90 (74%), for 50.0 GB and 2 h of server time.',
  );
  expect(describe('cost', load(1_000, 50e9, null), load(4_000, 60e9, null))).toBe(
    'cost you $4.50 of $5.40 (83%), for 50.0 GB.',
  );
});

it('relates other loads to the number of requests', () => {
  expect(describe('bytes')).toBe('was sent 20.0 GB of 30.0 GB (67%), or 20.0 MB per request.');
  expect(describe('time')).toBe('used 2 h of 3 h of server time (67%), or 7.2 s per request.');
  expect(describe('requests')).toBe('made 1,000 of 4,000 requests (25%).');
});

it('leaves out the total if there are no other requests', () => {
  expect(describe('requests', TOP, TOP)).toBe('made 1,000 requests.');
});

it('leaves out amounts that are rounded to the total', () => {
  expect(describe('cost', load(5, null, 0.0008), load(10, null, 0.0016))).toBe(
    'caused 50% of the cost, for 2.88 s of server time.',
  );
});
