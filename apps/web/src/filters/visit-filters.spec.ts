import { filterFault, filtersOf, isFiltered, readFilters, timelineQuery } from './visit-filters.js';

describe('visit filters', () => {
  it('reads valid filters from the URL', () => {
    expect(readFilters({ status: 404, result: 'verified', path: '/x', visit: 'v', other: 1 })).toEqual({
      status: '404',
      result: 'verified',
      path: '/x',
      visit: 'v',
    });
    expect(readFilters({ status: 'abc', result: 'sure', type: 'Robot', path: '', agent: { a: 1 } })).toEqual({});
  });

  it('prefers the page to the path in their shared field', () => {
    expect(readFilters({ path: '/' })).toEqual({ path: '/' });
    expect(readFilters({ page: '/a', path: '/' })).toEqual({ page: '/a', chips: { path: ['/'] } });
  });

  it('preserves filters without a field as chips', () => {
    const chips = { agent: ['GPTBot', 'CCBot'], not_type: ['Scraper'] };
    const filters = { status: '404', chips };
    expect(readFilters({ status: 404, agent: ['GPTBot', 'CCBot'], not_type: 'Scraper' })).toEqual(filters);
    expect(readFilters(filters)).toEqual(filters);
    expect(readFilters({ agent: ['GPTBot'] })).toEqual({ agent: 'GPTBot' });
    expect(filtersOf({ status: ['404'], ...chips })).toEqual(filters);
    expect(timelineQuery(filters)).toEqual({ status: ['404'], ...chips });
    expect(readFilters({ ...filtersOf({ page: ['/a'], path: ['/'] }) })).toEqual({
      page: '/a',
      chips: { path: ['/'] },
    });
    expect([isFiltered({ chips }), isFiltered(filtersOf({}))]).toEqual([true, false]);
  });

  it('validates typed values', () => {
    expect(filterFault('status', 'abc')).toBe('This field must be a status such as 404, or a class such as 4xx.');
    for (const text of ['', '404', '4xx', '5XX']) expect(filterFault('status', text)).toBeNull();
    expect(filterFault('path', 'anything')).toBeNull();
    for (const text of ['abc', '300.1.1.1', '192.0.2', '192.0.2.0/33', '192.0.2.7, 192.0.2.8']) {
      expect(filterFault('address', text)).toContain('192.0.2.0/24');
    }
    for (const text of ['192.0.2.7', '192.0.2.0/24', '2001:db8::7', '2001:db8::/32', '::', '::192.0.2.7']) {
      expect(filterFault('address', text)).toBeNull();
    }
  });

  it('does not count an open visit as a filter', () => {
    expect(isFiltered({ visit: 'v' })).toBe(false);
    expect(timelineQuery({ kind: 'mcp', agent: 'GPTBot' })).toEqual({ kind: ['mcp'], agent: ['GPTBot'] });
  });
});
