/**
 * Returns true if no rule ever applies to a path. Crawlers must be able to read robots.txt, because search engines take
 * a 429 or 5xx response as a reason to crawl less, and a 403 as permission to fetch everything (RFC 9309 section 2.3.1).
 * Paths below `/.well-known/` hold the other statements that agents look for.
 *
 * @param path Path with a leading slash and its query string.
 */
export function isExemptPath(path: string): boolean {
  if (path.split('?', 1)[0] === '/robots.txt') return true;
  return path.startsWith('/.well-known/') && resolvePaths(path).every((each) => each.startsWith('/.well-known/'));
}

/**
 * Returns the paths that servers could resolve a path to:
 *
 * - Some servers cut it off at `#`. Others treat `#` as an ordinary character and resolve `/a#/../private` to `/private`.
 * - Some remove parameters from segments before they resolve dot segments, so `/a/..;b/private` is `/private`.
 * - Some merge repeated slashes. Others resolve `/private//../a` to `/private/a`.
 */
export function resolvePaths(path: string): string[] {
  if (!RESOLVABLE.test(path)) return [path];
  const start = path.indexOf('?');
  const [before, query] = start === -1 ? [path, ''] : [path.slice(0, start), path.slice(start)];
  const spellings = withVariant([before.replaceAll(/%2f|\\/gi, '/')], (each) => each.replaceAll('#', '%23'));
  const withoutParameters = withVariant(spellings, (each) => each.replaceAll(/;[^/#]*/g, ''));
  const merged = withVariant(withoutParameters, (each) => each.replaceAll(/\/+/g, '/'));
  return [...new Set(merged.map((each) => removeDotSegments(each) + query))];
}

/** Matches everything that resolving can change. */
const RESOLVABLE = /\/[./]|%2[ef]|[;\\#\0- ]/i;

const withVariant = (paths: readonly string[], change: (path: string) => string): string[] => [
  ...new Set([...paths, ...paths.map(change)]),
];

function removeDotSegments(path: string): string {
  try {
    return new URL(`http://host${path}`).pathname;
  } catch {
    return path;
  }
}
