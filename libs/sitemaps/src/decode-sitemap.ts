import { setImmediate } from 'node:timers/promises';
import { CorruptDataError, DecodedBudget, decompressChunks, detectCompression, ProblemError } from '#libs/platform';

/** Maximum size of a decompressed sitemap (sitemaps.org). */
export const MAX_SITEMAP_BYTES = 50 * 1_024 * 1_024;
/** Parsing this much text takes a few milliseconds. */
const MAX_CHUNK_BYTES = 64 * 1_024;

export class SitemapError extends Error {
  override name = 'SitemapError';
}

/**
 * Yields the text of a sitemap in small parts. Other work can run after each part.
 *
 * @throws {SitemapError} if the file is too large, damaged, or neither UTF-8 nor UTF-16 with a byte order mark.
 */
export async function* decodeSitemap(bytes: Uint8Array): AsyncGenerator<string> {
  const isCompressed = detectCompression(bytes) === 'gzip';
  const budget = new DecodedBudget(MAX_SITEMAP_BYTES);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  try {
    if (!isCompressed) budget.charge(bytes.length);
    for await (const chunk of isCompressed ? decompressChunks(bytes, 'gzip', budget) : slice(bytes)) {
      decoder ??= new TextDecoder(detectEncoding(chunk), { fatal: true });
      yield decoder.decode(chunk, { stream: true });
      await setImmediate();
    }
    yield decoder?.decode() ?? '';
  } catch (error) {
    if (error instanceof ProblemError) throw new SitemapError('is larger than 50 MB', { cause: error });
    if (error instanceof CorruptDataError) throw new SitemapError('is not a valid gzip file', { cause: error });
    if (error instanceof TypeError) throw new SitemapError('is not valid UTF-8', { cause: error });
    throw error;
  }
}

function* slice(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += MAX_CHUNK_BYTES) {
    yield bytes.subarray(start, start + MAX_CHUNK_BYTES);
  }
}

function detectEncoding([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
