import { readCacheResult } from './cache-result.js';

describe('readCacheResult', () => {
  it.each([
    [{ 'CF-Cache-Status': 'HIT' }, 'hit'],
    [{ 'cf-cache-status': 'DYNAMIC' }, 'miss'],
    [{ 'x-cache': 'RefreshHit from cloudfront' }, 'hit'],
    [{ 'x-cache': 'MISS, MISS' }, 'miss'],
    [{ 'cache-status': 'ExampleCache; fwd=uri-miss; stored' }, 'miss'],
    [{ 'cache-status': 'ExampleCache; hit; ttl=376' }, 'hit'],
    [{ 'x-vercel-cache': ['PRERENDER'] }, 'hit'],
  ])('reads %j as a %s', (headers, result) => {
    expect(readCacheResult(headers)).toBe(result);
  });

  it.each([
    [undefined],
    [{}],
    [{ 'cache-control': 'no-cache, hit' }],
    [{ 'x-cache': 'Error from cloudfront' }],
    [{ 'cf-cache-status': null }],
    [{ constructor: 'hit' }],
  ])('returns null for %j', (headers) => {
    expect(readCacheResult(headers)).toBeNull();
  });
});
