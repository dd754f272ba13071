import type { FilteredPage, SavedFilter } from '../api/saved-filters.js';

const PAGES: readonly string[] = ['overview', 'visits', 'realtime', 'agents'] satisfies FilteredPage[];

/** What of an address says how a page is looked at, rather than what is on it: it stays when other filters are chosen. */
const VIEW = 'range from to compare zone table apart hidden unknown columns order sort direction'.split(' ');
/** What is neither a filter nor stays. */
const VISIT = 'visit';

/** Returns the page whose filters can be saved; null for others, such as an agent's. */
export function filteredPage(pathname: string): FilteredPage | null {
  const page = /^\/projects\/[^/]+\/([^/]+)\/?$/.exec(pathname)?.[1];
  return page !== undefined && PAGES.includes(page) ? (page as FilteredPage) : null;
}

/** Returns the filters of an address, as text in an order that does not depend on how they were chosen. */
export function filtersOf(search: string): string {
  const parameters = new URLSearchParams(search);
  for (const name of [...VIEW, VISIT]) parameters.delete(name);
  parameters.sort();
  return parameters.toString();
}

/** Returns an address with saved filters, looked at as the one that is shown; those of Realtime have no range. */
export function searchWith({ page, search }: Pick<SavedFilter, 'page' | 'search'>, shown: string): string {
  const parameters = new URLSearchParams(search);
  if (page === 'realtime') return `?${parameters}`;
  for (const [name, value] of new URLSearchParams(shown)) {
    if (VIEW.includes(name) && !parameters.has(name)) parameters.append(name, value);
  }
  return `?${parameters}`;
}
