import { LRUCache } from 'lru-cache';
import { createLruOptions } from './lru-options.js';

it('createLruOptions limits a cache to the most recently used entries', () => {
  const cache = new LRUCache<string, number>({ ...createLruOptions(3), ttl: 60_000 });
  for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) {
    cache.set(key, index);
    cache.get('a');
  }
  expect([...cache.keys()].toSorted()).toEqual(['a', 'c', 'd']);
});
