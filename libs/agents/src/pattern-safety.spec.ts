import { jest } from '@jest/globals';
import { findPatternFault } from './pattern-safety.js';

describe('findPatternFault', () => {
  it.each([
    'GPTBot',
    '\\bFoo\\/[\\d.]+',
    'Klarna(?:Bot)?[-\\w]*',
    '^Spotify\\/[\\d.]+$',
    'Foo\\/[\\d.]+; \\+https?:',
    'Foo.{0,120}bar',
    'Foo(?:Bar|Baz)?',
    '(?:Foo/\\d+|Bar/\\d+)',
  ])('accepts the pattern %s', (source) => {
    expect(findPatternFault(source)).toBeNull();
  });

  it.each([
    ['(Foo', 'has a capturing group "(" at position 1: write (?: instead'],
    ['a\\1foo', 'has a back-reference "\\1" at position 2'],
    ['(?:Foo)?', 'empty text'],
    ['[a-z]\\d', 'literal'],
    ['Foo(?:a+)+b', 'has a second unbounded repetition, "a+" at position 7'],
    ['Foo(?:a|b)*c', 'has "(?:a|b)*" at position 4, which repeats more than a single character'],
    ['Foo(?:a?b){5}', 'more than a single character'],
    ['.*Foo', 'has ".*" at position 1, an unbounded repetition without a separator before it'],
    ['\\w+Foo', 'separator before it: add an upper bound, such as {0,80}'],
    ['Foo\\w+Bar', 'has "\\w+" at position 4'],
    ['Foo.*', null],
    ['Foo.*Bar', 'without a separator'],
    ['Foo\\/\\d+x\\d+y', 'has a second unbounded repetition, "\\d+" at position 10'],
    [`Foo${'a?'.repeat(20)}`, 'steps per character'],
    ['Foo.{0,99}.{0,99}x', 'steps per character'],
    ['secx.{0,1000}z', 'can take 503 steps per character, but the maximum is 128'],
    ['(?:secx|.{0,200}z)secx', 'steps per character'],
    ['secx.{1000}z', 'steps per character'],
    ['Foo\\/.{0,50}\\d+x', 'steps per character'],
  ])('reports the first fault in the pattern %s', (source, fault) => {
    if (fault === null) expect(findPatternFault(source)).toBeNull();
    else expect(findPatternFault(source)).toContain(fault);
  });

  it('accepts at most 500 characters', () => {
    expect(findPatternFault(`z${'a'.repeat(499)}`)).toBeNull();
    expect(findPatternFault(`z${'a'.repeat(500)}`)).toContain('has 501 characters, but the maximum is 500: shorten it');
    expect(findPatternFault(`${'(?:'.repeat(5_000)}Foo${')'.repeat(5_000)}`)).toContain('has 20,003 characters');
  });

  it('checks a pattern for self-overlap in linear time', () => {
    const compare = jest.spyOn(Set.prototype, 'isDisjointFrom');
    const comparisons = (length: number): number => {
      compare.mockClear();
      findPatternFault(`${'a'.repeat(length - 1)}b`);
      return compare.mock.calls.length;
    };
    expect(comparisons(500)).toBeLessThan(2.5 * comparisons(250));
    compare.mockRestore();
  });
});
