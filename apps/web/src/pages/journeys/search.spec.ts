import type { JourneySummary } from '../../api/journeys.js';
import { parseJourneysSearch } from './search.js';
import { getSessionList, isFiltered, toJourneyFilters } from './session-filters.js';

it('parses filters from the URL and ignores invalid ones', () => {
  const search = parseJourneysSearch({
    agent: 'ChatGPT-User',
    type: 'AI Assistant',
    visitor: 'mcp_client',
    entry: '/docs',
    exit: '/thanks',
    deadEnd: 'yes',
    deadEndPage: '/cart',
    deadEndCause: 503,
    checkout: 'no',
    list: 'all',
    session: 's',
    range: '24h',
  });
  expect(toJourneyFilters(search)).toEqual({
    agent: ['ChatGPT-User'],
    type: ['AI Assistant'],
    visitor: ['mcp_client'],
    entry: ['/docs'],
    exit: ['/thanks'],
    dead_end: 'yes',
    dead_end_page: ['/cart'],
    dead_end_cause: ['503'],
    checkout: 'no',
  });
  expect([search.session, search.list]).toEqual(['s', 'all']);
  const invalid = {
    agent: {},
    type: 'Scraper',
    visitor: 'robot',
    entry: '',
    deadEnd: 'maybe',
    deadEndCause: '200',
    checkout: true,
    list: 'x',
  };
  expect(parseJourneysSearch(invalid)).toEqual({});
  expect([isFiltered(search), isFiltered({ session: 's', range: '24h' })]).toEqual([true, false]);
});

it('lists sessions with a dead end first, unless the filters only select these', () => {
  const summary = { dead_end_sessions: 3 } as JourneySummary;
  expect(getSessionList({}, summary)).toBe('dead-ends');
  expect(getSessionList({}, { ...summary, dead_end_sessions: 0 })).toBe('several');
  expect(getSessionList({ deadEndCause: '503' }, summary)).toBe('all');
  expect(getSessionList({ list: 'several' }, summary)).toBe('several');
});
