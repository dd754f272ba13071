const PAGE_LENGTH = 500;

/**
 * Returns the page that a path counts towards: the path without its query, cut to the maximum length.
 *
 * @param path Text that PostgreSQL can store.
 */
export function pageOf(path: string): string {
  const query = path.indexOf('?');
  return (query === -1 ? path : path.slice(0, query)).slice(0, PAGE_LENGTH).toWellFormed();
}
