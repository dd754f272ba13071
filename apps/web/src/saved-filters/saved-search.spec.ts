import { filteredPage, extractFilters, applySavedFilter } from './saved-search.js';

it.each([
  ['/projects/a/realtime', 'realtime'],
  ['/projects/a/overview/', 'overview'],
  ['/projects/a/agents/b', null],
  ['/projects/a/settings', null],
  ['/catalog', null],
])("returns the page at %s, or null if its filters can't be saved", (pathname, page) => {
  expect(filteredPage(pathname)).toBe(page);
});

it('extracts the filters from a URL without its view options', () => {
  const search =
    '?status=4xx&agent=GPTBot&range=7d&visit=x&table=true&zone=browser&order=oldest&sort=type&direction=descending';
  expect(extractFilters(search)).toBe('agent=GPTBot&status=4xx');
  expect(extractFilters('?from=2026-11-01T00%3A00%3A00.000Z&to=2026-11-02T00%3A00%3A00.000Z')).toBe('');
});

it('replaces the filters in a URL and preserves its view options', () => {
  const search = 'agent=GPTBot';
  expect(applySavedFilter({ page: 'overview', search }, '?compare=year&unknown=true&type=Scraper')).toBe(
    '?agent=GPTBot&compare=year&unknown=true',
  );
  expect(applySavedFilter({ page: 'visits', search }, '?range=7d&path=%2Fx&visit=y')).toBe('?agent=GPTBot&range=7d');
  expect(applySavedFilter({ page: 'realtime', search }, '?range=7d')).toBe('?agent=GPTBot');
});
