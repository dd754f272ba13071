import { getPage } from '#libs/contracts';

const MAX_PAGE_LENGTH = 500;

/**
 * Returns the page under which a path is counted, truncated to the maximum length.
 *
 * @param path Text without characters that PostgreSQL can't store.
 */
export const toPage = (path: string): string => truncate(getPage(path));

/** Returns the path without its query string, truncated to the maximum length. */
export function toCountedPath(path: string): string {
  const query = path.indexOf('?');
  return truncate(query === -1 ? path : path.slice(0, query));
}

const truncate = (text: string): string => text.slice(0, MAX_PAGE_LENGTH).toWellFormed();
