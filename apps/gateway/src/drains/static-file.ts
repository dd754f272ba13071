const EXTENSIONS = new Set(
  (
    'avif bmp cur gif heic ico jfif jpeg jpg png svg svgz tif tiff webp eot otf ttf woff woff2 css map js mjs wasm ' +
    'aac flac m3u8 m4a m4s m4v mid mkv mov mp3 mp4 mpeg mpg oga ogg ogv opus wav weba webm wmv'
  ).split(' '),
);

/** Agents use files in this directory for discovery, so they never count as static. */
const WELL_KNOWN = '/.well-known/';

/**
 * Returns true for a GET or HEAD request whose path has the extension of a static asset. Excludes files that agents
 * fetch on purpose, such as robots.txt, llms.txt, sitemaps and feeds. Ignores the query string.
 */
export function isStaticFile(method: string, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const end = path.search(/[?#]/);
  const name = end === -1 ? path : path.slice(0, end);
  const dot = name.lastIndexOf('.');
  if (dot <= name.lastIndexOf('/') || name.startsWith(WELL_KNOWN)) return false;
  return EXTENSIONS.has(name.slice(dot + 1).toLowerCase());
}
