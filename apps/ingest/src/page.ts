const MAX_PAGE_LENGTH = 500;

/**
 * Returns the page under which a path is counted: the path without its query string, truncated to the maximum length.
 *
 * @param path Text without characters that PostgreSQL can't store.
 */
export function toPage(path: string): string {
  const query = path.indexOf('?');
  return (query === -1 ? path : path.slice(0, query)).slice(0, MAX_PAGE_LENGTH).toWellFormed();
}
