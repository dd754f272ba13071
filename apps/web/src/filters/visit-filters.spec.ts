import { filterFault, filtersOf, isFiltered, readFilters, timelineQuery } from './visit-filters.js';

describe('filters', () => {
  it('come from the address, as far as they are ones', () => {
    expect(readFilters({ status: 404, result: 'verified', path: '/x', visit: 'v', other: 1 })).toEqual({
      status: '404',
      result: 'verified',
      path: '/x',
      visit: 'v',
    });
    expect(readFilters({ status: 'abc', result: 'sure', type: 'Robot', path: '', agent: { a: 1 } })).toEqual({});
  });

  it('have a page or the start of a path in their field', () => {
    expect(readFilters({ path: '/' })).toEqual({ path: '/' });
    expect(readFilters({ page: '/a', path: '/' })).toEqual({ page: '/a', chips: { path: ['/'] } });
  });

  it('that no field has are kept beside them', () => {
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

  it('say what is wrong with them where they are typed', () => {
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

  it('of an open visit alone filter nothing', () => {
    expect(isFiltered({ visit: 'v' })).toBe(false);
    expect(timelineQuery({ kind: 'mcp', agent: 'GPTBot' })).toEqual({ kind: ['mcp'], agent: ['GPTBot'] });
  });
});
