import {
  toFilterSearch,
  listFilterValues,
  isFiltered,
  parseFilterSet,
  negateFilter,
  toggleFilter,
  removeFilter,
} from './filter-set.js';

describe('filters in a URL', () => {
  it('parses single and multiple values, both included and excluded', () => {
    const search = { status: 404, agent: ['GPTBot', 'ClaudeBot', 'GPTBot'], not_type: 'Scraper', range: '7d' };
    const set = parseFilterSet(search);
    expect(set).toEqual({ status: ['404'], agent: ['GPTBot', 'ClaudeBot'], not_type: ['Scraper'] });
    expect(JSON.parse(JSON.stringify(toFilterSearch(set)))).toEqual({
      status: '404',
      agent: ['GPTBot', 'ClaudeBot'],
      not_type: 'Scraper',
    });
    expect(parseFilterSet(toFilterSearch(set))).toEqual(set);
  });

  it('ignores invalid values', () => {
    const search = {
      status: ['abc', '4xx'],
      type: 'Robot',
      not_result: [null, 'sure'],
      agent: { a: 1 },
      page: '',
      mcp: 1,
    };
    expect(parseFilterSet(search)).toEqual({ status: ['4xx'] });
    expect(isFiltered(parseFilterSet({ range: '7d' }))).toBe(false);
  });

  it('sets the parameters of removed filters to undefined', () => {
    expect(toFilterSearch({})).toMatchObject({ agent: undefined, not_agent: undefined, status: undefined });
    expect('agent' in toFilterSearch({})).toBe(true);
  });
});

describe('filter changes', () => {
  const gptbot = { key: 'agent', value: 'GPTBot' } as const;

  it('adds a filter and removes it when it is toggled again', () => {
    const set = toggleFilter({ type: ['Scraper'] }, gptbot);
    expect(set).toEqual({ type: ['Scraper'], agent: ['GPTBot'] });
    expect(toggleFilter(set, gptbot)).toEqual({ type: ['Scraper'] });
    expect(toggleFilter({ agent: ['ClaudeBot'] }, gptbot)).toEqual({ agent: ['ClaudeBot', 'GPTBot'] });
  });

  it('replaces the opposite filter', () => {
    expect(toggleFilter({ agent: ['GPTBot'] }, { key: 'not_agent', value: 'GPTBot' })).toEqual({
      not_agent: ['GPTBot'],
    });
    const set = { agent: ['GPTBot', 'ClaudeBot'], not_agent: ['CCBot'] };
    expect(negateFilter(set, gptbot)).toEqual({ agent: ['ClaudeBot'], not_agent: ['CCBot', 'GPTBot'] });
    expect(negateFilter({ not_status: ['404'] }, { key: 'not_status', value: '404' })).toEqual({ status: ['404'] });
  });

  it('removes only the given value', () => {
    const set = { agent: ['GPTBot', 'ClaudeBot'], not_agent: ['CCBot'] };
    expect(removeFilter(set, gptbot)).toEqual({ agent: ['ClaudeBot'], not_agent: ['CCBot'] });
    expect(listFilterValues(set)).toHaveLength(3);
  });
});
