/** Suffixes that don't distinguish pages. A longer suffix comes before the shorter one that it ends with. */
const PAGE_SUFFIXES = ['/index.md', '.md', '/index.html', '.html', '/'];

/**
 * Returns the page that a path leads to: the path without its query string, `.md`, `.html`, `/index.md`, `/index.html`
 * and slash at the end. For example, `/docs/start`, `/docs/start/`, `/docs/start.html`, `/docs/start.md`,
 * `/docs/start.html.md` (llmstxt.org) and `/docs/start/index.md` are the same page. All other paths are pages of their
 * own. Names are case-sensitive. The page is always a prefix of the path.
 */
export function getPage(path: string): string {
  const query = path.indexOf('?');
  let end = query === -1 ? path.length : query;
  for (let suffix; (suffix = findSuffix(path, end)) !== undefined;) end -= suffix.length;
  return path.slice(0, Math.max(end, 1));
}

function findSuffix(path: string, end: number): string | undefined {
  // Fast path: most paths end differently. All suffixes end with one of these characters.
  const last = path[end - 1];
  if (last !== '/' && last !== 'd' && last !== 'l') return undefined;
  return PAGE_SUFFIXES.find((suffix) => path.endsWith(suffix, end));
}
