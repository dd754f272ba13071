/** Origin of a response: a cache (`hit`), or the site (`miss`). */
export type CacheResult = 'hit' | 'miss';

/** Lowercase words for responses from a cache, including stale and revalidated ones. */
const HITS = new Set('hit refreshhit originshieldhit streamhit stale updating revalidated prerender'.split(' '));
/** Lowercase words for responses from the origin. */
const MISSES = new Set(
  'miss expired bypass dynamic pass hitpass hitmiss scarce private noconfig nocache nostore'.split(' '),
);

/**
 * Parses a cache result as logged by a CDN or server, such as `HIT`, `RefreshHit from cloudfront`, `TCP_MEM_HIT` or
 * `MISS, HIT`. It's a hit if any cache in the list has served the response. Returns null for other values.
 */
export function parseCacheResult(text: string): CacheResult | null {
  let result: CacheResult | null = null;
  for (const cache of text.toLowerCase().split(',')) {
    // The name of the cache can follow after a space.
    const words = cache.trim().split(' ', 1)[0]!.replaceAll('_', '-').split('-');
    if (words.some((word) => MISSES.has(word))) result ??= 'miss';
    else if (words.some((word) => HITS.has(word))) return 'hit';
  }
  return result;
}
