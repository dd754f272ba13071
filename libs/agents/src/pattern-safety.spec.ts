import { patternFault } from './pattern-safety.js';

describe('patternFault', () => {
  it.each([
    'GPTBot',
    '\\bFoo\\/[\\d.]+',
    'Klarna(?:Bot)?[-\\w]*',
    '^Spotify\\/[\\d.]+$',
    'Foo\\/[\\d.]+; \\+https?:',
    'Foo.{0,120}bar',
    '(?=\\bNutch\\/).',
    '(?<!like )Googlebot',
    'Foo(?:Bar|Baz)?',
    '(?:Foo/\\d+|Bar/\\d+)',
  ])('lets %s pass', (source) => {
    expect(patternFault(source)).toBeNull();
  });

  it.each([
    ['(Foo', 'not an expression'],
    ['(a)\\1foo', 'not an expression'],
    ['(?:Foo)?', 'no text'],
    ['[a-z]\\d', 'literal'],
    ['Foo(?:a+)+b', 'more than one repetition'],
    ['Foo(?:a|b)*c', 'more than a single character'],
    ['Foo(?:a?b){5}', 'more than a single character'],
    ['.*Foo', 'set apart'],
    ['\\w+Foo', 'set apart'],
    ['Foo\\w+Bar', 'set apart'],
    ['Foo.*', null],
    ['Foo.*Bar', 'set apart'],
    ['Foo\\/\\d+x\\d+y', 'more than one repetition'],
    [`Foo${'a?'.repeat(20)}`, 'steps for each character'],
    ['Foo.{0,99}.{0,99}x', 'steps for each character'],
    ['secx(?=.{0,1000}z)', 'can take 503 steps for each character, more than 128'],
    ['secx(?!.{0,1000}z)', 'steps for each character'],
    ['(?<=z.{0,1000})secx', 'steps for each character'],
    ['(?<=\\d+)secx', 'set apart'],
    ['(?:secx|.{0,200}z)secx', 'steps for each character'],
    ['secx.{1000}z', 'steps for each character'],
    ['secx(?=.{0,99}a)(?=.{0,99}b)(?=.{0,99}c)', 'steps for each character'],
    ['Foo\\/.{0,50}\\d+x', 'steps for each character'],
    ['(?=.*Foo)x', 'set apart'],
  ])('finds fault with %s', (source, fault) => {
    if (fault === null) expect(patternFault(source)).toBeNull();
    else expect(patternFault(source)).toContain(fault);
  });
});
