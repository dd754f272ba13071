import { getLoadCost, hasPrices } from './load-cost.js';

const LOAD = { bytes: 41e9, server_time_ms: 15 * 3_600_000 };
const PRICES = { price_per_gb: 0.09, price_per_server_hour: 2.5, currency: 'USD' };

it.each([
  ['both inputs', LOAD, PRICES, 41.19],
  ['only bytes if no time was reported', { ...LOAD, server_time_ms: null }, PRICES, 3.69],
  ['only server time if no sizes were reported', { ...LOAD, bytes: null }, PRICES, 37.5],
  ['only bytes if an hour has no price', LOAD, { ...PRICES, price_per_server_hour: null }, 3.69],
  ['nothing if a GB is free', { ...LOAD, server_time_ms: null }, { ...PRICES, price_per_gb: 0 }, 0],
])('computes the cost of %s', (_, load, prices, cost) => {
  expect(getLoadCost(load, prices)).toBeCloseTo(cost, 9);
});

it.each([
  ['nothing was reported', { bytes: null, server_time_ms: null }, PRICES],
  ['there are no prices', LOAD, { ...PRICES, price_per_gb: null, price_per_server_hour: null }],
  ['only what was not reported has a price', { ...LOAD, bytes: null }, { ...PRICES, price_per_server_hour: null }],
])('returns null if %s', (_, load, prices) => {
  expect(getLoadCost(load, prices)).toBeNull();
});

it('counts a price of 0 as a price', () => {
  expect(hasPrices({ price_per_gb: 0, price_per_server_hour: null, currency: 'USD' })).toBe(true);
  expect(hasPrices({ price_per_gb: null, price_per_server_hour: null, currency: 'USD' })).toBe(false);
});
