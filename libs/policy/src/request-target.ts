/**
 * Converts a request target to a path with its query string. Strips the origin from an absolute-form target (RFC 9112
 * section 3.2.2), because servers ignore it: `http://site/private` → `/private`.
 */
export function toPath(target: string): string {
  if (target.startsWith('/')) return target;
  // Node.js 20 doesn't have URL.parse().
  if (!URL.canParse(target)) return `/${target}`;
  const { host, pathname, search } = new URL(target);
  return host === '' ? `/${target}` : pathname + search;
}
