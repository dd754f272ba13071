import { jest } from '@jest/globals';
import { StaleWhileRevalidateCache } from './stale-while-revalidate-cache.js';

const HOUR_MS = 3_600_000;
const waitForRefresh = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let now: number;
beforeEach(() => {
  now = 1_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

it('fetches a value once for all callers while it is fresh', async () => {
  const cache = new StaleWhileRevalidateCache<number>(HOUR_MS);
  const fetch = jest.fn(async () => 1);
  expect(await Promise.all([cache.get('a', fetch), cache.get('a', fetch)])).toEqual([1, 1]);
  now += HOUR_MS - 1;
  await cache.get('a', fetch);
  expect(fetch).toHaveBeenCalledTimes(1);
  await cache.get('b', fetch);
  expect(fetch).toHaveBeenCalledTimes(2);
});

it('returns a stale value immediately and refreshes it for the next caller', async () => {
  const cache = new StaleWhileRevalidateCache<number>(HOUR_MS);
  await cache.get('a', async () => 1);
  now += HOUR_MS;
  expect(await cache.get('a', async () => 2)).toBe(1);
  await waitForRefresh();
  expect(await cache.get('a', async () => 3)).toBe(2);
});

it('returns a stale value after a failed refresh and does not retry on every call', async () => {
  const cache = new StaleWhileRevalidateCache<number>(HOUR_MS);
  await cache.get('a', async () => 1);
  now += 100 * HOUR_MS;
  const fetch = jest.fn(async () => Promise.reject<number>(new Error('unavailable')));
  for (let time = 0; time < 3; time += 1) {
    expect(await cache.get('a', fetch)).toBe(1);
    await waitForRefresh();
  }
  expect(fetch).toHaveBeenCalledTimes(1);
});

it('rejects only if nothing is cached', async () => {
  const cache = new StaleWhileRevalidateCache<number>(HOUR_MS);
  await expect(cache.get('a', async () => Promise.reject(new Error('unavailable')))).rejects.toThrow('unavailable');
  expect(await cache.get('a', async () => 1)).toBe(1);
});
