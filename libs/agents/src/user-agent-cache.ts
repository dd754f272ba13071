import { LRUCache } from 'lru-cache';

/** Maximum number of characters to analyze. */
const MAX_CHARACTERS = 4_096;
const MAX_CACHE_BYTES = 8 * 1_024 * 1_024;

/** Truncates a User-Agent to the maximum length that is analyzed. */
export const truncateUserAgent = (userAgent: string): string =>
  userAgent.length > MAX_CHARACTERS ? userAgent.slice(0, MAX_CHARACTERS) : userAgent;

/**
 * Creates a cache that is keyed by User-Agent. Most sites see the same few thousand User-Agents again and again.
 *
 * @param max Maximum number of entries.
 * @param valueBytes Approximate size of an entry without its key, in bytes.
 */
export const createUserAgentCache = <V extends {}>(max: number, valueBytes: number): LRUCache<string, V> =>
  new LRUCache({ max, maxSize: MAX_CACHE_BYTES, sizeCalculation: (_, text) => valueBytes + 2 * text.length });
