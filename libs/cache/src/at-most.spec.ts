import { LRUCache } from 'lru-cache';
import { atMost } from './at-most.js';

it('limits a cache to the most recently used entries', () => {
  const cache = new LRUCache<string, number>({ ...atMost(3), ttl: 60_000 });
  for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) {
    cache.set(key, index);
    cache.get('a');
  }
  expect([...cache.keys()].toSorted()).toEqual(['a', 'c', 'd']);
});
