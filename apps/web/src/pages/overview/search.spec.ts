import { readOverview, visitFilters } from './search.js';

describe('readOverview', () => {
  it('reads the range, the filters, the hidden series and whether unknown visitors count', () => {
    const search = { range: '7d', agent: 'GPTBot', not_status: [404, '5xx'], unknown: 'true', hidden: ['Scraper'] };
    expect(JSON.parse(JSON.stringify(readOverview(search)))).toEqual({
      range: '7d',
      agent: 'GPTBot',
      not_status: ['404', '5xx'],
      unknown: true,
      hidden: ['Scraper'],
    });
    expect(readOverview({ range: 'x', agent: {}, hidden: 'Scraper', unknown: 'no' })).toEqual({});
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
