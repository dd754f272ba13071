import { LRUCache } from 'lru-cache';

/** Characters of a User-Agent that are looked at: 4 KiB of the ASCII that the header is made of. */
const MAX_CHARACTERS = 4_096;
const MAX_BYTES = 8 * 1_024 * 1_024;

/** Returns the part of a User-Agent that is looked at. */
export const boundedUserAgent = (userAgent: string): string =>
  userAgent.length > MAX_CHARACTERS ? userAgent.slice(0, MAX_CHARACTERS) : userAgent;

/**
 * Remembers results by User-Agent. Sites see the same few thousand again and again.
 *
 * @param valueBytes approximate size of a result, with its entry.
 */
export const userAgentMemory = <V extends {}>(max: number, valueBytes: number): LRUCache<string, V> =>
  new LRUCache({ max, maxSize: MAX_BYTES, sizeCalculation: (_, text) => valueBytes + 2 * text.length });
