import { validateFilter, toFilters, isFiltered, parseFilters, toTimelineQuery } from './visit-filters.js';

describe('visit filters', () => {
  it('parses valid filters from the URL', () => {
    expect(parseFilters({ status: 404, result: 'verified', path: '/x', visit: 'v', other: 1 })).toEqual({
      status: '404',
      result: 'verified',
      path: '/x',
      visit: 'v',
    });
    expect(parseFilters({ status: 'abc', result: 'sure', type: 'Robot', path: '', agent: { a: 1 } })).toEqual({});
  });

  it('shows the page instead of the path in the field that they share', () => {
    expect(parseFilters({ path: '/' })).toEqual({ path: '/' });
    expect(parseFilters({ page: '/a', path: '/' })).toEqual({ page: '/a', chips: { path: ['/'] } });
  });

  it('shows filters without a form field as chips', () => {
    const chips = { agent: ['GPTBot', 'CCBot'], not_type: ['Scraper'] };
    const filters = { status: '404', chips };
    expect(parseFilters({ status: 404, agent: ['GPTBot', 'CCBot'], not_type: 'Scraper' })).toEqual(filters);
    expect(parseFilters(filters)).toEqual(filters);
    expect(parseFilters({ agent: ['GPTBot'] })).toEqual({ agent: 'GPTBot' });
    expect(toFilters({ status: ['404'], ...chips })).toEqual(filters);
    expect(toTimelineQuery(filters)).toEqual({ status: ['404'], ...chips });
    expect(parseFilters({ ...toFilters({ page: ['/a'], path: ['/'] }) })).toEqual({
      page: '/a',
      chips: { path: ['/'] },
    });
    expect([isFiltered({ chips }), isFiltered(toFilters({}))]).toEqual([true, false]);
  });

  it('validates typed values', () => {
    expect(validateFilter('status', 'abc')).toBe('This field must be a status such as 404, or a class such as 4xx.');
    for (const text of ['', '404', '4xx', '5XX']) expect(validateFilter('status', text)).toBeNull();
    expect(validateFilter('path', 'anything')).toBeNull();
    for (const text of ['abc', '300.1.1.1', '192.0.2', '192.0.2.0/33', '192.0.2.7, 192.0.2.8']) {
      expect(validateFilter('address', text)).toContain('192.0.2.0/24');
    }
    for (const text of ['192.0.2.7', '192.0.2.0/24', '2001:db8::7', '2001:db8::/32', '::', '::192.0.2.7']) {
      expect(validateFilter('address', text)).toBeNull();
    }
  });

  it('does not count an open visit as a filter', () => {
    expect(isFiltered({ visit: 'v' })).toBe(false);
    expect(toTimelineQuery({ kind: 'mcp', agent: 'GPTBot' })).toEqual({ kind: ['mcp'], agent: ['GPTBot'] });
  });
});
