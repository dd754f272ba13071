import { jest } from '@jest/globals';
import { patternFault } from './pattern-safety.js';

describe('patternFault', () => {
  it.each([
    'GPTBot',
    '\\bFoo\\/[\\d.]+',
    'Klarna(?:Bot)?[-\\w]*',
    '^Spotify\\/[\\d.]+$',
    'Foo\\/[\\d.]+; \\+https?:',
    'Foo.{0,120}bar',
    'Foo(?:Bar|Baz)?',
    '(?:Foo/\\d+|Bar/\\d+)',
  ])('accepts %s', (source) => {
    expect(patternFault(source)).toBeNull();
  });

  it.each([
    ['(Foo', 'has a capturing group "(" at position 1: write (?: instead'],
    ['a\\1foo', 'has a back-reference "\\1" at position 2'],
    ['(?:Foo)?', 'empty text'],
    ['[a-z]\\d', 'literal'],
    ['Foo(?:a+)+b', 'has "a+" at position 7, a second repetition without an upper bound'],
    ['Foo(?:a|b)*c', 'has "(?:a|b)*" at position 4, a repetition of more than a single character'],
    ['Foo(?:a?b){5}', 'more than a single character'],
    ['.*Foo', 'has ".*" at position 1, a repetition without an upper bound that nothing before it sets apart'],
    ['\\w+Foo', 'sets apart: give it one, such as {0,80}'],
    ['Foo\\w+Bar', 'has "\\w+" at position 4'],
    ['Foo.*', null],
    ['Foo.*Bar', 'sets apart'],
    ['Foo\\/\\d+x\\d+y', 'has "\\d+" at position 10, a second repetition'],
    [`Foo${'a?'.repeat(20)}`, 'steps for each character'],
    ['Foo.{0,99}.{0,99}x', 'steps for each character'],
    ['secx.{0,1000}z', 'can take 503 steps for each character, more than 128'],
    ['(?:secx|.{0,200}z)secx', 'steps for each character'],
    ['secx.{1000}z', 'steps for each character'],
    ['Foo\\/.{0,50}\\d+x', 'steps for each character'],
  ])('reports the fault of %s', (source, fault) => {
    if (fault === null) expect(patternFault(source)).toBeNull();
    else expect(patternFault(source)).toContain(fault);
  });

  it('limits a pattern to 500 characters', () => {
    expect(patternFault(`z${'a'.repeat(499)}`)).toBeNull();
    expect(patternFault(`z${'a'.repeat(500)}`)).toContain('has 501 characters, more than 500: shorten it');
    expect(patternFault(`${'(?:'.repeat(5_000)}Foo${')'.repeat(5_000)}`)).toContain('has 20,003 characters');
  });

  it('compares a pattern with itself in a number of steps linear in its length', () => {
    const compare = jest.spyOn(Set.prototype, 'isDisjointFrom');
    const comparisons = (length: number): number => {
      compare.mockClear();
      patternFault(`${'a'.repeat(length - 1)}b`);
      return compare.mock.calls.length;
    };
    expect(comparisons(500)).toBeLessThan(2.5 * comparisons(250));
    compare.mockRestore();
  });
});
