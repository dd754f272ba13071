import { assert, constantFrom, property, string } from 'fast-check';
import { measureCostRatio, measureGrowth, MAX_GROWTH } from '../../../test/kit/cost.js';
import { toComparablePath, compilePattern, normalizePath } from './path-pattern.js';

const matches = (pattern: string, path: string) => compilePattern(pattern).matches(toComparablePath(path));

describe('compilePattern (RFC 9309, section 2.2.2)', () => {
  it('matches paths that start with the pattern, case-sensitively', () => {
    for (const path of ['/fish', '/fish.html', '/fish/a', '/fishes?a']) expect(matches('/fish', path)).toBe(true);
    for (const path of ['/', '/fis', '/Fish', '/a/fish']) expect(matches('/fish', path)).toBe(false);
    expect(matches('/', '/anything')).toBe(true);
    expect(matches('fish', '/fish')).toBe(false);
  });

  it.each([
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz'],
    ['/foo/bar?baz=https%3A%2F%2Ffoo.bar', '/foo/bar?baz=https://foo.bar'],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar'],
    ['/foo/bar/\u30c4', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%E3%83%84', '/foo/bar/\u30c4'],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
    ['/foo/bar/baz', '/foo/bar/%62%61%7A'],
    ['/%e3%83%84%7e', '/%E3%83%84~'],
    ['/a b|"', '/a%20b%7C%22'],
    ['/100%', '/100%25'],
  ])('matches %s to the equivalent path %s', (pattern, path) => {
    expect(matches(`${pattern}$`, path)).toBe(true);
  });

  it("distinguishes paths that aren't equivalent", () => {
    expect(matches('/a%2Fb', '/a/b')).toBe(false);
    expect(matches('/a/b', '/a%2Fb')).toBe(false);
    expect(matches('/?a=b%26c', '/?a=b&c')).toBe(false);
    expect(matches('/*https:', '/?u=https://a')).toBe(true);
    expect(matches('/100%2541', '/100%41')).toBe(false);
  });

  it('measures the pattern length in octets', () => {
    expect([compilePattern('/\u30c4').length, compilePattern('/%62').length, compilePattern('/a*$').length]).toEqual([
      10, 2, 4,
    ]);
  });
});

describe('compilePattern special characters (RFC 9309, section 2.2.3)', () => {
  it.each([
    ['/*.gif$', ['/a.gif', '/.gif', '/a.gif.gif'], ['/a.gif?b', '/a.gifs', '/gif']],
    ['/a*', ['/a', '/ab'], ['/b']],
    ['/a*b*c', ['/abc', '/axbxcx', '/abbbc'], ['/acb', '/ab']],
    ['/a*a$', ['/aa', '/aba'], ['/a', '/aab']],
    ['*', ['/', '/a'], []],
    ['/*aab', ['/aaab', '/aab', '/baaaab'], ['/abab', '/aa']],
    ['/*abac', ['/ababac', '/abababac'], ['/ababa']],
    ['/**a', ['/a', '/ba'], ['/b']],
    ['/a$', ['/a'], ['/a/', '/a?']],
    ['$', [], ['/', '/a']],
    ['/a$b', ['/a$b', '/a$bc', '/a%24b'], ['/a', '/ab']],
    ['/*?$', ['/a?'], ['/a', '/a?b']],
  ])('interprets the pattern %s correctly', (pattern, matchingPaths, otherPaths) => {
    expect(matchingPaths.filter((path) => !matches(pattern, path))).toEqual([]);
    expect(otherPaths.filter((path) => matches(pattern, path))).toEqual([]);
  });

  it('treats escaped special characters as literals', () => {
    expect(matches('/path/file-with-a-%2A.html', '/path/file-with-a-*.html')).toBe(true);
    expect(matches('/path/file-with-a-%2A.html', '/path/file-with-a-b.html')).toBe(false);
    expect(matches('/path/foo-%24', '/path/foo-$')).toBe(true);
    expect(matches('/path/foo-%24', '/path/foo-')).toBe(false);
  });
});

it('compilePattern agrees with an equivalent regular expression', () => {
  const text = (characters: string) => string({ unit: constantFrom(...characters), maxLength: 12 });
  assert(
    property(text('aab*$'), text('aab'), (end, path) => {
      const pattern = `/${end}`;
      const source = pattern.replace(/\$$/, '\0').replaceAll('$', '\\$').replaceAll('*', '.*').replace('\0', '$');
      return matches(pattern, `/${path}`) === new RegExp(`^${source}`).test(`/${path}`);
    }),
    { numRuns: 2_000 },
  );
});

it('normalizePath is idempotent', () => {
  assert(property(string({ unit: 'binary' }), (path) => normalizePath(normalizePath(path)) === normalizePath(path)));
});

it("normalizePath escapes each octet of characters that a URI can't contain", () => {
  const octets = (text: string) =>
    [...new TextEncoder().encode(text)]
      .map((octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`)
      .join('');
  const invalidUriCharacters = constantFrom('|', ' ', '"', '\u00e4', '\u30c4', '\u{1f916}', '\ud800', '\udc00');
  assert(
    property(
      string({ unit: invalidUriCharacters, maxLength: 12 }),
      (text) => normalizePath(`/${text}a`) === `/${octets(text)}a`,
    ),
  );
});

it.each([
  ['brackets in a query', `/x?${'['.repeat(8_000)}`],
  ['bars', `/${'|'.repeat(8_000)}`],
  ['letters', `/${'\u00e9'.repeat(8_000)}`],
])('toComparablePath escapes %s in less than 20 times the time of encodeURIComponent', async (_, path) => {
  const ratio = await measureCostRatio(
    () => repeat(() => toComparablePath(path)),
    () => repeat(() => encodeURIComponent(path)),
    2,
  );
  // Escaping one character at a time would far exceed this ratio.
  expect(ratio).toBeLessThan(20);
});
const repeat = (work: () => unknown): void => {
  for (let time = 0; time < 100; time += 1) work();
};

it.each([
  ['a few stars', () => '/*a*a*b', (size: number) => size, 20, false],
  ['more stars', () => '/*a*a*a*a*a*a*a*b', (size: number) => size, 20, false],
  ['many stars', (size: number) => `/*${'a*'.repeat(size)}b`, (size: number) => 2 * size, 100, false],
  ['a long piece', (size: number) => `/*${'a'.repeat(size)}b`, (size: number) => 3 * size, 100, false],
  ['many stars and an end', (size: number) => `/*${'a*'.repeat(size)}$`, (size: number) => 2 * size, 100, true],
])(
  'compilePattern matches a pattern with %s in linear time',
  async (_, createPattern, getPathLength, minSize, isMatch) => {
    const createWork = (size: number) => {
      const [pattern, path] = [createPattern(size), `/${'a'.repeat(getPathLength(size))}`];
      expect(matches(pattern, path)).toBe(isMatch);
      return () => matches(pattern, path);
    };
    expect(await measureGrowth(createWork, minSize)).toBeLessThan(MAX_GROWTH);
  },
);
