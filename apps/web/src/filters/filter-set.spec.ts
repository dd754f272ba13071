import { filterSearch, filterValues, isFiltered, readFilterSet, switched, toggled, without } from './filter-set.js';

describe('filters in a URL', () => {
  it('reads one or several values, both included and excluded', () => {
    const search = { status: 404, agent: ['GPTBot', 'ClaudeBot', 'GPTBot'], not_type: 'Scraper', range: '7d' };
    const set = readFilterSet(search);
    expect(set).toEqual({ status: ['404'], agent: ['GPTBot', 'ClaudeBot'], not_type: ['Scraper'] });
    expect(JSON.parse(JSON.stringify(filterSearch(set)))).toEqual({
      status: '404',
      agent: ['GPTBot', 'ClaudeBot'],
      not_type: 'Scraper',
    });
    expect(readFilterSet(filterSearch(set))).toEqual(set);
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
    expect(readFilterSet(search)).toEqual({ status: ['4xx'] });
    expect(isFiltered(readFilterSet({ range: '7d' }))).toBe(false);
  });

  it('clears the parameters of removed filters', () => {
    expect(filterSearch({})).toMatchObject({ agent: undefined, not_agent: undefined, status: undefined });
    expect('agent' in filterSearch({})).toBe(true);
  });
});

describe('filter changes', () => {
  const gptbot = { key: 'agent', value: 'GPTBot' } as const;

  it('adds a filter, and removes it when it is chosen again', () => {
    const set = toggled({ type: ['Scraper'] }, gptbot);
    expect(set).toEqual({ type: ['Scraper'], agent: ['GPTBot'] });
    expect(toggled(set, gptbot)).toEqual({ type: ['Scraper'] });
    expect(toggled({ agent: ['ClaudeBot'] }, gptbot)).toEqual({ agent: ['ClaudeBot', 'GPTBot'] });
  });

  it('replaces the opposite filter', () => {
    expect(toggled({ agent: ['GPTBot'] }, { key: 'not_agent', value: 'GPTBot' })).toEqual({ not_agent: ['GPTBot'] });
    const set = { agent: ['GPTBot', 'ClaudeBot'], not_agent: ['CCBot'] };
    expect(switched(set, gptbot)).toEqual({ agent: ['ClaudeBot'], not_agent: ['CCBot', 'GPTBot'] });
    expect(switched({ not_status: ['404'] }, { key: 'not_status', value: '404' })).toEqual({ status: ['404'] });
  });

  it('removes only the given value', () => {
    const set = { agent: ['GPTBot', 'ClaudeBot'], not_agent: ['CCBot'] };
    expect(without(set, gptbot)).toEqual({ agent: ['ClaudeBot'], not_agent: ['CCBot'] });
    expect(filterValues(set)).toHaveLength(3);
  });
});
