const PLACEHOLDER = '{path}';

/**
 * Creates the location of a redirect.
 *
 * @param template Path with at most one `{path}`, which stands for the requested path without its leading slash.
 * @param path Requested path with a leading slash and its query string. The query is preserved.
 * @returns Null if the requested path is already such a location, because the redirect would never end.
 */
export function createLocation(template: string, path: string): string | null {
  const start = path.search(/[?#]/);
  const [bare, query] = start === -1 ? [path, ''] : [path.slice(0, start), path.slice(start).replace(/#.*/, '')];
  const at = template.indexOf(PLACEHOLDER);
  if (at === -1) return bare === template ? null : template + query;
  const [prefix, suffix] = [template.slice(0, at), template.slice(at + PLACEHOLDER.length)];
  if (bare.length >= prefix.length + suffix.length && bare.startsWith(prefix) && bare.endsWith(suffix)) return null;
  const location = toSitePath(prefix + bare.replace(LEADING_SLASHES, '') + suffix);
  return bare === location || bare === toSitePath(prefix + suffix) ? null : location + query;
}

const LEADING_SLASHES = /^[/\\]+/;

/** Collapses leading slashes. `//host` and `/\host` would redirect to another site. */
const toSitePath = (path: string): string => path.replace(LEADING_SLASHES, '/');
