import type { FilteredPage, SavedFilter } from '../api/saved-filters.js';

const PAGES: readonly string[] = ['overview', 'visits', 'realtime', 'agents'] satisfies FilteredPage[];

/**
 * Query parameters that control how a page is displayed. They aren't saved, and applying a saved filter preserves them.
 */
const VIEW_PARAMETERS =
  'range from to compare zone table chart apart hidden unknown who where columns order sort direction'.split(' ');
/** Query parameter for the open visit. It isn't saved, and applying a saved filter removes it. */
const VISIT_PARAMETER = 'visit';

/** Returns the page that a path belongs to, or null if its filters can't be saved, as on a single agent's page. */
export function filteredPage(pathname: string): FilteredPage | null {
  const page = /^\/projects\/[^/]+\/([^/]+)\/?$/.exec(pathname)?.[1];
  return page !== undefined && PAGES.includes(page) ? (page as FilteredPage) : null;
}

/** Extracts the filters from a query string, sorted by name so they can be compared. */
export function extractFilters(search: string): string {
  const parameters = new URLSearchParams(search);
  for (const name of [...VIEW_PARAMETERS, VISIT_PARAMETER]) parameters.delete(name);
  parameters.sort();
  return parameters.toString();
}

/**
 * Returns a query string that applies a saved filter and preserves the display parameters in `currentSearch`. For Realtime,
 * which has no range, it contains only the saved filter.
 */
export function applySavedFilter(
  { page, search }: Pick<SavedFilter, 'page' | 'search'>,
  currentSearch: string,
): string {
  const parameters = new URLSearchParams(search);
  if (page === 'realtime') return `?${parameters}`;
  for (const [name, value] of new URLSearchParams(currentSearch)) {
    if (VIEW_PARAMETERS.includes(name) && !parameters.has(name)) parameters.append(name, value);
  }
  return `?${parameters}`;
}
