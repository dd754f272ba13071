import { analyzePattern } from './pattern-literals.js';
import { parsePattern } from './pattern.js';

const analyze = (source: string) => analyzePattern(parsePattern(source)!);

describe('analyzePattern', () => {
  it.each<[string, string[]]>([
    ['GPTBot', ['gptbot']],
    ['\\bFoo\\.Bar\\/', ['foo.bar/']],
    ['Better ?Stack', ['betterstack', 'better stack']],
    ['Yandex(?:Bot|Images)', ['yandexbot', 'yandeximages']],
    ['Exa(?:Bot|\\d+)', ['exa']],
    ['(?:Alpha|Beta|\\d)', []],
    ['ab', []],
    ['Foo(?:Bar)*Long', ['long']],
    ['Foo(?:Barrel)*', ['foo']],
    ['Foo(?:Barrel)+', ['barrel']],
    ['Known.{0,80}crawler v\\d', ['crawler v']],
    ['[Aa]bc', ['abc']],
    ['x[^)]{0,80}crawler', ['crawler']],
    ['caf.bar', ['caf']],
    ['^$', []],
    ['(?:\\d{3})abc[xyz]', ['abcx', 'abcy', 'abcz']],
  ])('finds the required literals in %s: %j', (source, literals) => {
    expect(analyze(source).literals.toSorted()).toEqual(literals.toSorted());
  });

  it('returns the minimum and maximum match length', () => {
    const bounds = ['Foo', 'ab?c{2,4}(?:d|ef)', 'a+', '(?:abc)*', '\\bx\\b'].map((source) => analyze(source));
    expect(bounds.map(({ shortest, longest }) => `${shortest}-${longest}`)).toEqual([
      '3-3',
      '4-8',
      '1-Infinity',
      '0-Infinity',
      '1-1',
    ]);
  });
});
