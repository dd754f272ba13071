import type { NewSitemap } from '#libs/contracts';
import { invalidBody } from '#libs/platform';
import { parseSitemap } from '#libs/sitemaps';
import { PageList } from './read-sitemaps.js';
import type { SitemapsRead } from './sitemaps.repository.js';

/**
 * Parses a sitemap that was sent to the API.
 *
 * @returns Null if the text is empty.
 * @throws {ProblemError} 422 if the text isn't a sitemap with pages of the project.
 */
export async function parseRecordedSitemap(
  { text, compressed_text: compressedText }: NewSitemap,
  host: string,
  hosts: readonly string[],
): Promise<SitemapsRead | null> {
  if ((text === undefined) === (compressedText === undefined)) {
    throw invalidBody('/text', 'is required, unless there is a `compressed_text`');
  }
  if (text?.trim() === '') return null;
  const field = text === undefined ? '/compressed_text' : '/text';
  const parsed = await parseSitemap(Buffer.from((text ?? compressedText)!, text === undefined ? 'base64' : 'utf8'));
  if (parsed.fault !== null) {
    throw invalidBody(field, `${parsed.fault}${parsed.line === null ? '' : ` (line ${parsed.line})`}`);
  }
  if (parsed.isIndex) throw invalidBody(field, 'is an index. Record a sitemap that lists pages instead');
  const pages = new PageList(hosts);
  const ignored = pages.add(parsed);
  if (pages.listed.length === 0) throw invalidBody(field, "lists no pages on the project's hosts");
  const sitemap = { url: host, is_index: false, entries: parsed.entries.length, ignored, fault: null, line: null };
  return { sitemaps: [sitemap], pages: pages.listed, isComplete: true };
}
