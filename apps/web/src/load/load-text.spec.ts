import { formatAmounts, formatCoverage, formatFormula, formatMonthlyCost, getMonthlyFactor } from './load-text.js';

const LOAD = { bytes: 41e9, server_time_ms: 15 * 3_600_000 };
const PRICES = { price_per_gb: 0.09, price_per_server_hour: 2.5, currency: 'USD' };

it.each([
  [LOAD, PRICES, '41.0 GB × $0.09 per GB + 15 h × $2.50 per hour'],
  [{ ...LOAD, server_time_ms: null }, PRICES, '41.0 GB × $0.09 per GB'],
  [LOAD, { ...PRICES, price_per_gb: null, currency: 'EUR' }, '15 h × €2.50 per hour'],
  [{ bytes: 1_234_567_890_123, server_time_ms: 90_000 }, PRICES, '1.2 TB × $0.09 per GB + 1 min 30 s × $2.50 per hour'],
  [LOAD, { ...PRICES, price_per_gb: null, price_per_server_hour: null }, null],
])('formats the cost of %j with %j as %s', (load, prices, text) => {
  expect(formatFormula(load, prices)).toBe(text);
});

it.each([
  [{ requests: 75, ...LOAD }, '75 requests, 41.0 GB, and 15 h of server time'],
  [{ requests: 75, ...LOAD, bytes: null }, '75 requests and 15 h of server time'],
  [{ requests: 75, ...LOAD, server_time_ms: null }, '75 requests and 41.0 GB'],
  [{ requests: 1, bytes: null, server_time_ms: null }, '1 request'],
])('formats the amounts %j as %s', (load, text) => {
  expect(formatAmounts(load)).toBe(text);
});

it.each([
  [62, 100, 'for 62% of requests'],
  [1, 2_000, 'for under 0.1% of requests'],
  [0, 100, null],
  [1_000, 1_000, null],
  [996, 1_000, null],
])('notes that %d of %d requests reported a value: %s', (reported, requests, text) => {
  expect(formatCoverage(reported, requests)).toBe(text);
});

describe('getMonthlyFactor', () => {
  const to = '2026-11-30T00:00:00Z';
  const now = Date.parse(to);
  const getFactor = (from: string, firstVisitAt: string | null = null) =>
    getMonthlyFactor({ from, to, firstVisitAt, now });

  it('converts shorter and longer ranges', () => {
    expect(getFactor('2026-11-15T00:00:00Z')).toBe(2);
    expect(getFactor('2026-10-01T00:00:00Z')).toBe(0.5);
  });

  it('returns null for 30 days, and for less than a week', () => {
    expect(getFactor('2026-10-31T00:00:00Z')).toBeNull();
    expect(getFactor('2026-11-23T01:00:00Z')).toBeNull();
  });

  it('counts only the time since the first visit and until now', () => {
    expect(getFactor('2026-10-31T00:00:00Z', '2026-11-15T00:00:00Z')).toBe(2);
    expect(getMonthlyFactor({ from: '2026-11-15T00:00:00Z', to: '2027-01-01', firstVisitAt: null, now })).toBe(2);
  });
});

it('rounds the cost per month', () => {
  expect(formatMonthlyCost(1.57, 30, 'USD')).toBe('about $47 a month');
});
