/** Characters of a path that are counted as one page; the query is left out. */
const PAGE_LENGTH = 500;

/** Returns the page that a path is counted as. @param path as PostgreSQL can hold it. */
export function pageOf(path: string): string {
  const query = path.indexOf('?');
  return (query === -1 ? path : path.slice(0, query)).slice(0, PAGE_LENGTH).toWellFormed();
}
