import { readAgents, sortOf, sortSearch } from './search.js';

it('reads valid search parameters', () => {
  expect(readAgents({ q: 'bot', type: 'Scraper', sort: 'last_seen', range: '7d' })).toEqual({
    q: 'bot',
    type: 'Scraper',
    sort: 'last_seen',
    range: '7d',
  });
  expect(readAgents({ q: 360, type: '', sort: 'visits' })).toEqual({ q: '360' });
  expect(readAgents({ q: {}, sort: 'size' })).toEqual({});
});

it('sorts by visits unless the URL contains a valid order', () => {
  expect(sortOf(readAgents({ sort: 'token' }))).toEqual({ key: 'token', direction: 'ascending' });
  expect(sortOf(readAgents({ sort: 'nothing', direction: 'up' }))).toEqual({ key: 'visits', direction: 'descending' });
  for (const sort of [
    { key: 'visits', direction: 'ascending' },
    { key: 'operator', direction: 'descending' },
    { key: 'last_seen', direction: 'descending' },
  ] as const) {
    expect(sortOf(readAgents({ ...sortSearch(sort) }))).toEqual(sort);
  }
  expect(sortSearch({ key: 'visits', direction: 'descending' })).toEqual({});
});
