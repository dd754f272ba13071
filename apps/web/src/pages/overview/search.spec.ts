import { parseOverviewSearch, visitFilters } from './search.js';

describe('parseOverviewSearch', () => {
  it('parses valid parameters and drops invalid ones', () => {
    const search = { range: '7d', agent: 'GPTBot', not_status: [404, '5xx'], unknown: 'true', hidden: ['Scraper'] };
    expect(JSON.parse(JSON.stringify(parseOverviewSearch(search)))).toEqual({
      range: '7d',
      agent: 'GPTBot',
      not_status: ['404', '5xx'],
      unknown: true,
      hidden: ['Scraper'],
    });
    expect(parseOverviewSearch({ range: 'x', agent: {}, hidden: 'Scraper', unknown: 'no' })).toEqual({});
  });
});

describe('visitFilters', () => {
  it('excludes unknown visitors unless the overview counts them', () => {
    expect(visitFilters({ page: ['/'] }, false)).toEqual({ page: '/', chips: { not_result: ['unknown_agent'] } });
    expect(visitFilters({ page: ['/'] }, true)).toEqual({ page: '/' });
    expect(visitFilters({ agent: ['GPTBot'] }, false)).toEqual({ agent: 'GPTBot' });
    expect(visitFilters({ not_result: ['verified'] }, false)).toEqual({
      chips: { not_result: ['verified', 'unknown_agent'] },
    });
  });
});
