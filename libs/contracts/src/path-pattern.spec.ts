import { isPathPattern, matchesPathPattern, PATH_FILTER_PATTERN } from './path-pattern.js';

describe('path patterns', () => {
  it.each([
    ['/docs/*', '/docs/', true],
    ['/docs/*', '/docs/a/b?c', true],
    ['/docs/*', '/docs', false],
    ['/docs/*', '/en/docs/', false],
    ['*.pdf', '/a.pdf?download', true],
    ['*.pdf', '/a.pdf/b', false],
    ['/*/edit', '/a/b/edit', true],
    ['/a*a', '/a', false],
    ['/*a*b*', '/xbyazb', true],
    ['/*a*b*', '/xbya', false],
    ['/search?q=*', '/search?q=1', true],
    ['/search?q=*', '/search', false],
    ['*?utm_source=*', '/a?utm_source=x', true],
    ['/%_*', '/%_a', true],
    ['/%_*', '/ab', false],
    ['*', '', true],
  ])('compares %s with %s: %s', (pattern, path, matches) => {
    expect(matchesPathPattern(pattern, path)).toBe(matches);
  });

  it('allows up to five wildcards', () => {
    const isAllowed = (text: string): boolean => new RegExp(PATH_FILTER_PATTERN).test(text);
    expect(['/', '/*', '*****'].map(isAllowed)).toEqual([true, true, true]);
    expect(isAllowed('/******')).toBe(false);
    expect([isPathPattern('/docs/'), isPathPattern('/docs/*')]).toEqual([false, true]);
  });
});
