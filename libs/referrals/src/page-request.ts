import { headerOf, visitKinds, type Visit, type VisitKind } from '#libs/contracts';

/** Extensions of files that are not pages. A path with any other extension is a page. */
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
const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;
const EXTENSION = /\.([a-z\d]{1,11})$/i;

/**
 * Returns whether a visit requested a page: a GET with an HTML response. If the response's `content-type` is unknown,
 * the path's extension decides. Calls of MCP and agentic commerce are never pages.
 *
 * @param kinds Kinds of the visit, if the caller has already determined them.
 */
export function isPageRequest(visit: Visit, kinds: readonly VisitKind[] = visitKinds(visit)): boolean {
  if (kinds[0] !== 'page' || visit.request_method.toUpperCase() !== 'GET') return false;
  const contentType = headerOf(visit.response_headers, 'content-type');
  if (contentType !== null) return HTML.test(contentType);
  const [path] = visit.request_path.split('?', 1) as [string];
  const extension = EXTENSION.exec(path)?.[1];
  return extension === undefined || !FILE_EXTENSIONS.has(extension.toLowerCase());
}
