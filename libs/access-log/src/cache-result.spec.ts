import { parseCacheResult } from './cache-result.js';

describe('parseCacheResult', () => {
  it.each([
    'HIT',
    'hit',
    'STALE',
    'RefreshHit from cloudfront',
    'OriginShieldHit',
    'TCP_MEM_HIT from a23-45-67-89.deploy.akamaitechnologies.com',
    'HIT-CLUSTER',
    'REMOTE_HIT',
    'MISS, HIT',
    'HIT, MISS',
    'PRERENDER',
  ])('reads %j as a hit', (text) => {
    expect(parseCacheResult(text)).toBe('hit');
  });

  it.each([
    'MISS',
    'Miss from cloudfront',
    'MISS from hit.example',
    'TCP_REFRESH_MISS',
    'EXPIRED',
    'DYNAMIC',
    'PASS',
    'HITPASS',
    'CACHE_NOCONFIG',
    'PRIVATE_NOSTORE',
  ])('reads %j as a miss', (text) => {
    expect(parseCacheResult(text)).toBe('miss');
  });

  it.each(['', '-', 'none', 'unknown', 'Error from cloudfront', 'whitelist', 'dismissed', 'LambdaGeneratedResponse'])(
    'returns null for %j',
    (text) => {
      expect(parseCacheResult(text)).toBeNull();
    },
  );
});
