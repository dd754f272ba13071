import { parseCacheResult } from '#libs/access-log';
import type { CacheResult, HeaderValue } from '#libs/contracts';

const PARSERS: ReadonlyMap<string, (text: string) => CacheResult | null> = new Map([
  ['cache-status', parseCacheStatus],
  ['cf-cache-status', parseCacheResult],
  ['x-cache', parseCacheResult],
  ['x-vercel-cache', parseCacheResult],
]);

/** Returns whether a cache served the response, according to its headers. Returns null if they don't show it. */
export function readCacheResult(headers: Record<string, HeaderValue> | null | undefined): CacheResult | null {
  let result: CacheResult | null = null;
  for (const name in headers) {
    const ofHeader = PARSERS.get(name.toLowerCase())?.(String(headers[name])) ?? null;
    // A cache in front of another one can pass on its headers.
    if (ofHeader === 'hit') return ofHeader;
    result ??= ofHeader;
  }
  return result;
}

/**
 * Parses a `Cache-Status` header (RFC 9211): a list of caches, each with parameters such as `hit` or `fwd=miss`. It's a
 * hit if any of them has served the response.
 */
function parseCacheStatus(text: string): CacheResult | null {
  const parameters = withoutQuotedText(text)
    .replaceAll(',', ';')
    .split(';')
    .map((parameter) => parameter.trim().toLowerCase());
  if (parameters.some((parameter) => parameter === 'hit' || parameter === 'hit=?1')) return 'hit';
  return parameters.some((parameter) => parameter.startsWith('fwd=')) ? 'miss' : null;
}

/** Removes strings in double quotes, in which quotes are escaped with backslashes. */
const withoutQuotedText = (text: string): string =>
  text
    .replaceAll('\\"', '')
    .split('"')
    .filter((_, index) => index % 2 === 0)
    .join('');
