import { isFiltered, parseJourneysSearch, toJourneyFilters } from './search.js';

it('parses filters from the URL and ignores invalid ones', () => {
  const search = parseJourneysSearch({
    agent: 'ChatGPT-User',
    type: 'AI Assistant',
    visitor: 'mcp_client',
    entry: '/docs',
    deadEnd: 'yes',
    checkout: 'no',
    session: 's',
    range: '24h',
  });
  expect(toJourneyFilters(search)).toEqual({
    agent: ['ChatGPT-User'],
    type: ['AI Assistant'],
    visitor: ['mcp_client'],
    entry: ['/docs'],
    dead_end: 'yes',
    checkout: 'no',
  });
  expect(search.session).toBe('s');
  const invalid = { agent: {}, type: 'Scraper', visitor: 'robot', entry: '', deadEnd: 'maybe', checkout: true };
  expect(parseJourneysSearch(invalid)).toEqual({});
  expect([isFiltered(search), isFiltered({ session: 's', range: '24h' })]).toEqual([true, false]);
});
