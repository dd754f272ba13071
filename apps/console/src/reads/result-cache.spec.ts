import { ResultCache } from './result-cache.js';

it('shares results by key, except errors', async () => {
  const cache = new ResultCache();
  const results = [cache.get('a', async () => 1), cache.get('a', async () => 2), cache.get('b', async () => 3)];
  expect(await Promise.all(results)).toEqual([1, 1, 3]);
  await expect(cache.get('c', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache.get('c', async () => 4)).toBe(4);
});
