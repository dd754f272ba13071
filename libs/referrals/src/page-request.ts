import { getHeader, getVisitKinds, type Visit, type VisitKind } from '#libs/contracts';

/** Extensions of files that aren't pages. Paths with any other extension are pages. */
const FILE_EXTENSIONS = new Set(
  (
    'avif bmp gif ico jpeg jpg png svg tif tiff webp ' +
    'aac avi flac m3u8 m4a m4v mkv mov mp3 mp4 mpeg mpg ogg opus ts wav weba webm ' +
    'css eot js map mjs otf ttf wasm woff woff2 ' +
    'atom csv ics json jsonl jsonld ndjson rdf rss tsv txt webmanifest xml xsl xslt yaml yml ' +
    'doc docx epub md odp ods odt pdf ppt pptx ps rtf xls xlsx ' +
    '7z apk bin br bz2 deb dmg exe gz iso jar msi pkg rar rpm sql tar tgz whl xz zip zst'
  ).split(' '),
);
const HTML_CONTENT_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;
const EXTENSION_PATTERN = /\.([a-z\d]{1,11})$/i;

/**
 * Returns true if a visit requested a page: a GET request with an HTML response. If the response's content type is
 * unknown, the path's extension decides. MCP and agentic commerce calls are never pages.
 *
 * @param kinds The visit's kinds, if the caller has already determined them.
 */
export function isPageRequest(visit: Visit, kinds: readonly VisitKind[] = getVisitKinds(visit)): boolean {
  if (kinds[0] !== 'page' || visit.request_method.toUpperCase() !== 'GET') return false;
  const contentType = getHeader(visit.response_headers, 'content-type');
  if (contentType !== null) return HTML_CONTENT_TYPE.test(contentType);
  const [path] = visit.request_path.split('?', 1) as [string];
  const extension = EXTENSION_PATTERN.exec(path)?.[1];
  return extension === undefined || !FILE_EXTENSIONS.has(extension.toLowerCase());
}
