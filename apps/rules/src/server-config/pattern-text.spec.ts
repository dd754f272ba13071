import { parsePattern } from '#libs/agents';
import { getBundledCatalog } from '#libs/catalog';
import { literalText, notPrecededBy, patternText } from './pattern-text.js';

const nonAscii = '(?>[\\xC2-\\xF4][\\x80-\\xBF]+';

describe('patternText', () => {
  it.each([
    ['\\bGPTBot\\b', '\\bGPTBot\\b'],
    ['^Fast$', '^Fast\\z'],
    ['Foo.{0,120}bar', 'Foo.{0,120}bar'],
    ['Foo[^)]+x', 'Foo[^)]+x'],
    ['Foo(?:Bar|-)?', 'Foo(?:Bar|-)?'],
    ['a\\.\\/\\-\\+', 'a\\./\\-\\+'],
    ['"\'`#%&', '\\x22\\x27\\x60\\x23\\x25&'],
    ['\\$\\{\\}\\\\', '\\x24\\x7B\\x7D\\x5C'],
    ['[\\d.\\w-]{2}', '[\\d.\\w-]{2}'],
    ['[-\\]\\\\^$#"{]', '[-\\]\\x5C^\\x24\\x23\\x22\\x7B]'],
    ['two  spaces', 'two  spaces'],
  ])('converts %s to the same expression for PCRE and RE2', (source, text) => {
    expect(parsePattern(source)).not.toBeNull();
    expect([patternText(source, 'pcre'), patternText(source, 're2')]).toEqual([text, text]);
  });

  it.each([
    ['a.b', `a${nonAscii}|.)b`],
    ['a.?b', `a${nonAscii}|.)?b`],
    ['a[^)]b', `a${nonAscii}|[^)])b`],
    ['a\\.b', 'a\\.b'],
    ['[.^]', '[.^]'],
  ])('makes %s match multi-byte characters in PCRE', (source, pcre) => {
    expect(patternText(source, 'pcre')).toBe(pcre);
    expect(patternText(source, 're2')).toBe(source);
  });

  it('converts every bundled pattern to printable ASCII without changing its matches', () => {
    for (const { user_agent_patterns: patterns, sample_user_agents: samples = [] } of getBundledCatalog().agents) {
      for (const [index, source] of patterns.entries()) {
        const [sample, text] = [samples[index]!, patternText(source, 're2')];
        expect(text).toMatch(/^[\x20-\x7e]+$/);
        expect(text).not.toMatch(/["'`$#%]|\\\\|\\[nrt]/);
        const [pattern, written] = [new RegExp(source, 'i'), new RegExp(text.replaceAll('\\z', '$'), 'i')];
        for (const part of [sample, sample.slice(1), sample.slice(0, -1), sample.slice(3, 20)]) {
          expect([source, part, written.test(part)]).toEqual([source, part, pattern.test(part)]);
        }
      }
    }
  });
});

describe('notBehind', () => {
  it.each([
    [['~'], '(?:^|[^~])'],
    [['-'], '(?:^|[^\\-])'],
    [['ab'], '(?:^|[^b]|(?:^|[^a])b)'],
    [['ab', 'b'], '(?:^|[^b])'],
  ])('returns an expression without lookbehinds for %j', (texts, expression) => {
    expect(notPrecededBy(texts, 're2')).toBe(expression);
  });

  it('uses lookbehinds for PCRE', () => {
    expect(notPrecededBy(['like ', 'a.'], 'pcre')).toBe('(?<!like )(?<!a\\.)');
  });

  it('excludes the same texts as a lookbehind', () => {
    const letters = ['a', 'B', 'c'];
    let texts = [''];
    const all: string[] = [];
    for (let length = 0; length < 6; length++) {
      all.push(...texts);
      texts = texts.flatMap((text) => letters.map((letter) => text + letter));
    }
    for (const excluded of [['ab'], ['ab', 'cab', 'c'], ['A', 'bc'], ['ca', 'ba']]) {
      const behind = new RegExp(`${excluded.map((text) => `(?<!${text})`).join('')}abc`, 'i');
      const written = new RegExp(`${notPrecededBy(excluded, 're2')}abc`, 'i');
      expect(all.filter((text) => behind.test(text) !== written.test(text))).toEqual([]);
    }
  });
});

it('escapes regular expression operators in literal text', () => {
  expect(new RegExp(`^${literalText('a.b*c$"[d]-')}$`).test('a.b*c$"[d]-')).toBe(true);
});
