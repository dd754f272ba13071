import { isFiltered, readFilters, timelineQuery } from './filters.js';

describe('filters', () => {
  it('come from the address, as far as they are ones', () => {
    expect(readFilters({ status: 404, result: 'verified', mcp: true, path: '/x', visit: 'v', other: 1 })).toEqual({
      status: '404',
      result: 'verified',
      mcp: true,
      path: '/x',
      visit: 'v',
    });
    expect(readFilters({ status: 'abc', result: 'sure', mcp: 'no', path: '', agent: { a: 1 } })).toEqual({});
  });

  it('of an open visit alone filter nothing', () => {
    expect(isFiltered({ visit: 'v' })).toBe(false);
    expect(timelineQuery({ mcp: true, agent: 'GPTBot' })).toEqual({ kind: ['mcp'], agent: ['GPTBot'] });
  });
});
