import { readCacheResult } from './cache-result.js';

describe('readCacheResult', () => {
  it.each([
    [{ 'CF-Cache-Status': 'HIT' }, 'hit'],
    [{ 'cf-cache-status': 'DYNAMIC' }, 'miss'],
    [{ 'x-cache': 'RefreshHit from cloudfront' }, 'hit'],
    [{ 'x-cache': ['MISS', 'MISS'] }, 'miss'],
    [{ 'x-vercel-cache': ['PRERENDER'] }, 'hit'],
    [{ 'cache-status': 'ExampleCache; hit; ttl=376' }, 'hit'],
    [{ 'cache-status': 'OriginCache; fwd=uri-miss; stored, CDN;HIT=?1' }, 'hit'],
    [{ 'cache-status': 'ExampleCache; fwd=uri-miss; stored' }, 'miss'],
    [{ 'cache-status': 'x; fwd=miss; key="a; hit; \\"; hit;"; detail=hit' }, 'miss'],
    [{ 'x-cache': 'Error from cloudfront', 'cf-cache-status': 'MISS' }, 'miss'],
    [{ 'x-cache': 'MISS', 'cf-cache-status': 'HIT' }, 'hit'],
  ])('reads %j as a %s', (headers, result) => {
    expect(readCacheResult(headers)).toBe(result);
  });

  it.each([
    [undefined],
    [{}],
    [{ 'cache-control': 'no-cache, hit' }],
    [{ 'x-cache': 'Error from cloudfront' }],
    [{ 'cache-status': 'hitcache; stored' }],
    [{ 'cf-cache-status': null }],
  ])('returns null for %j', (headers) => {
    expect(readCacheResult(headers)).toBeNull();
  });
});
