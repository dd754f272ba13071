import {
  getHeader,
  getResponseFormat,
  getVisitKinds,
  type ResponseFormat,
  type Visit,
  type VisitKind,
} from '#libs/contracts';

/** Extensions of files that aren't pages. Paths with any other extension are pages. */
const FILE_EXTENSIONS = new Set(
  (
    'avif bmp gif ico jpeg jpg png svg tif tiff webp ' +
    'aac avi flac m3u8 m4a m4v mkv mov mp3 mp4 mpeg mpg ogg opus ts wav weba webm ' +
    'css eot js map mjs otf ttf wasm woff woff2 ' +
    'atom csv ics json jsonl jsonld ndjson rdf rss tsv txt webmanifest xml xsl xslt yaml yml ' +
    'doc docx epub odp ods odt pdf ppt pptx ps rtf xls xlsx ' +
    '7z apk bin br bz2 deb dmg exe gz iso jar msi pkg rar rpm sql tar tgz whl xz zip zst'
  ).split(' '),
);
/** Content types with which servers that don't know Markdown send `.md` files. */
const UNKNOWN_CONTENT_TYPES = new Set(['text/plain', 'application/octet-stream']);
const EXTENSION_PATTERN = /\.([a-z\d]{1,11})$/i;

/**
 * Returns true if a visit requested a page: a GET request with an HTML or Markdown response. `.md` files that were sent as
 * plain text also count. If the response's content type is unknown, the path's extension decides. MCP and agentic
 * commerce calls are never pages.
 *
 * @param kinds The visit's kinds, if the caller has already determined them.
 * @param format The response's format, if the caller has already determined it.
 */
export function isPageRequest(
  visit: Visit,
  kinds: readonly VisitKind[] = getVisitKinds(visit),
  format: ResponseFormat = getResponseFormat(getHeader(visit.response_headers, 'content-type')),
): boolean {
  if (kinds[0] !== 'page' || visit.request_method.toUpperCase() !== 'GET') return false;
  if (format === 'html' || format === 'markdown') return true;
  const [path] = visit.request_path.split('?', 1) as [string];
  if (format !== 'none') return path.endsWith('.md') && UNKNOWN_CONTENT_TYPES.has(getMediaType(visit));
  const extension = EXTENSION_PATTERN.exec(path)?.[1];
  return extension === undefined || !FILE_EXTENSIONS.has(extension.toLowerCase());
}

const getMediaType = ({ response_headers: headers }: Visit): string =>
  getHeader(headers, 'content-type')!.split(';', 1)[0]!.trim().toLowerCase();
