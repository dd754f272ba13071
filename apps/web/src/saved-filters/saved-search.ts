import type { FilteredPage, SavedFilter } from '../api/saved-filters.js';

const PAGES: readonly string[] = ['overview', 'visits', 'realtime', 'agents'] satisfies FilteredPage[];

/** Query parameters for how a page is displayed. They aren't saved, and stay when a saved filter is applied. */
const VIEW = 'range from to compare zone table apart hidden unknown columns order sort direction'.split(' ');
/** Query parameter of the open visit. It's neither saved nor kept. */
const VISIT = 'visit';

/** Returns the page in a path, or null if its filters can't be saved (such as on a single agent's page). */
export function filteredPage(pathname: string): FilteredPage | null {
  const page = /^\/projects\/[^/]+\/([^/]+)\/?$/.exec(pathname)?.[1];
  return page !== undefined && PAGES.includes(page) ? (page as FilteredPage) : null;
}

/** Returns only the filters of a query string, sorted by name so they can be compared. */
export function filtersOf(search: string): string {
  const parameters = new URLSearchParams(search);
  for (const name of [...VIEW, VISIT]) parameters.delete(name);
  parameters.sort();
  return parameters.toString();
}

/**
 * Returns a query string that applies a saved filter and keeps the display parameters of `shown`. On Realtime, which has
 * no range, it contains only the saved filter.
 */
export function searchWith({ page, search }: Pick<SavedFilter, 'page' | 'search'>, shown: string): string {
  const parameters = new URLSearchParams(search);
  if (page === 'realtime') return `?${parameters}`;
  for (const [name, value] of new URLSearchParams(shown)) {
    if (VIEW.includes(name) && !parameters.has(name)) parameters.append(name, value);
  }
  return `?${parameters}`;
}
