import { filteredPage, filtersOf, searchWith } from './saved-search.js';

it.each([
  ['/projects/a/realtime', 'realtime'],
  ['/projects/a/overview/', 'overview'],
  ['/projects/a/agents/b', null],
  ['/projects/a/settings', null],
  ['/catalog', null],
])('returns the page with filters for %s', (pathname, page) => {
  expect(filteredPage(pathname)).toBe(page);
});

it('returns the filters of a URL without its view options', () => {
  const search =
    '?status=4xx&agent=GPTBot&range=7d&visit=x&table=true&zone=browser&order=oldest&sort=type&direction=descending';
  expect(filtersOf(search)).toBe('agent=GPTBot&status=4xx');
  expect(filtersOf('?from=2026-11-01T00%3A00%3A00.000Z&to=2026-11-02T00%3A00%3A00.000Z')).toBe('');
});

it('replaces the filters of a URL, and preserves its view options', () => {
  const search = 'agent=GPTBot';
  expect(searchWith({ page: 'overview', search }, '?compare=year&unknown=true&type=Scraper')).toBe(
    '?agent=GPTBot&compare=year&unknown=true',
  );
  expect(searchWith({ page: 'visits', search }, '?range=7d&path=%2Fx&visit=y')).toBe('?agent=GPTBot&range=7d');
  expect(searchWith({ page: 'realtime', search }, '?range=7d')).toBe('?agent=GPTBot');
});
