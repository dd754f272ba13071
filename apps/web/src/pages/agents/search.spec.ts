import { parseAgentsSearch, toSort, toSortSearch } from './search.js';

it('parses valid search parameters for the list of agents', () => {
  expect(parseAgentsSearch({ q: 'bot', type: 'Scraper', sort: 'last_seen', range: '7d' })).toEqual({
    q: 'bot',
    type: 'Scraper',
    sort: 'last_seen',
    range: '7d',
  });
  expect(parseAgentsSearch({ q: 360, type: '', sort: 'visits' })).toEqual({ q: '360' });
  expect(parseAgentsSearch({ q: {}, sort: 'size' })).toEqual({});
});

it('sorts by visits unless the URL contains a valid order', () => {
  expect(toSort(parseAgentsSearch({ sort: 'token' }))).toEqual({ key: 'token', direction: 'ascending' });
  expect(toSort(parseAgentsSearch({ sort: 'nothing', direction: 'up' }))).toEqual({
    key: 'visits',
    direction: 'descending',
  });
  for (const sort of [
    { key: 'visits', direction: 'ascending' },
    { key: 'operator', direction: 'descending' },
    { key: 'last_seen', direction: 'descending' },
  ] as const) {
    expect(toSort(parseAgentsSearch({ ...toSortSearch(sort) }))).toEqual(sort);
  }
  expect(toSortSearch({ key: 'visits', direction: 'descending' })).toEqual({});
});
