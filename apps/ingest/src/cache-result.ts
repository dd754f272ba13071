import type { CacheResult, HeaderValue } from '#libs/contracts';

/** Words in each header's value that show a cache hit. If none of them occurs, the header's second list shows a miss. */
const HEADERS: ReadonlyMap<string, { hit: readonly string[]; miss: readonly string[] }> = new Map(
  Object.entries({
    // RFC 9211
    'cache-status': { hit: ['hit'], miss: ['fwd='] },
    'cf-cache-status': {
      hit: ['hit', 'stale', 'updating', 'revalidated'],
      miss: ['miss', 'expired', 'bypass', 'dynamic'],
    },
    'x-cache': { hit: ['hit'], miss: ['miss', 'pass'] },
    'x-vercel-cache': { hit: ['hit', 'stale', 'prerender'], miss: ['miss', 'bypass'] },
  }),
);

/** Returns whether a cache served the response, according to its headers. Returns null if they don't show it. */
export function readCacheResult(headers: Record<string, HeaderValue> | null | undefined): CacheResult | null {
  for (const name in headers) {
    const words = HEADERS.get(name.toLowerCase());
    if (words === undefined) continue;
    const text = String(headers[name]).toLowerCase();
    if (words.hit.some((word) => text.includes(word))) return 'hit';
    if (words.miss.some((word) => text.includes(word))) return 'miss';
  }
  return null;
}
