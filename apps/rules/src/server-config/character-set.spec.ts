import { parsePattern, type CharacterSet } from '#libs/agents';
import { astralText, characterText, UntranslatableError } from './character-set.js';

function set(source: string): CharacterSet {
  const tree = parsePattern(source);
  const [part] = tree?.kind === 'sequence' ? tree.parts : [];
  if (part?.kind !== 'set') throw new Error(source);
  return part;
}

const past = '(?>[\\xC2-\\xF4][\\x80-\\xBF]+';

describe('characterText', () => {
  it.each([
    ['G', 'G'],
    ['\\x47', 'g'],
    ['\\.', '\\.'],
    ['\\/', '/'],
    ['\\-', '-'],
    [' ', ' '],
    ['"', '\\x22'],
    ["'", '\\x27'],
    ['`', '\\x60'],
    ['\\$', '\\x24'],
    ['#', '\\x23'],
    ['%', '\\x25'],
    ['\\{', '\\x7B'],
    ['\\}', '\\x7D'],
    ['\\\\', '\\x5C'],
    ['\\t', '\\x09'],
    ['\\d', '\\d'],
    ['[0-9]', '\\d'],
    ['\\w', '\\w'],
    ['\\s', '\\s'],
    ['[\\d.]', '[.0-9]'],
    ['[A-Z-]', '[\\x2Da-z]'],
    ['[- ]', '[ \\x2D]'],
    ['[\\]\\\\^$#"[:]', '[\\x22-\\x24:\\x5B-\\x5E]'],
  ])('writes %s the same for all', (source, text) => {
    expect(characterText(set(source), 'pcre', false)).toBe(text);
    expect(characterText(set(source), 're2', false)).toBe(text);
  });

  it.each([
    ['.', `${past}|.)`, '.', '.'],
    ['[^)]', `${past}|[^)])`, '[^)]', '[^)]'],
    ['\\D', `${past}|[^0-9])`, '[^0-9]', '[^0-9]'],
    ['[^]', `${past}|[\\x00-\\xFF])`, '[\\x00-\\xFF]', '(?s:.)'],
    ['é', '(?:\\xC3[\\x89\\xA9])', '(?:\\xC3[\\x89\\xA9])', '[\\x{C9}\\x{E9}]'],
    ['\\u6f22', '(?:\\xE6\\xBC\\xA2)', '(?:\\xE6\\xBC\\xA2)', '[\\x{6F22}]'],
    ['[^é]', null, null, '[^\\x{C9}\\x{E9}]'],
  ])('writes %s in bytes and in characters', (source, once, repeated, characters) => {
    const excluding = `(?:(?!\\xC3[\\x89\\xA9])${past}|[\\x00-\\xFF]))`;
    expect(characterText(set(source), 'pcre', false)).toBe(once ?? excluding);
    expect(characterText(set(source), 'pcre', true)).toBe(repeated ?? excluding);
    expect(characterText(set(source), 're2', false)).toBe(characters);
  });

  it('shares the ends of many characters', () => {
    expect(characterText(set('[\\u4e00-\\u9fff]'), 'pcre', false)).toBe(
      '(?:\\xE4[\\xB8-\\xBF][\\x80-\\xBF]|[\\xE5-\\xE9][\\x80-\\xBF][\\x80-\\xBF])',
    );
  });

  it.each(['[]', '\\ud83e', '[\\ud83e\\udd16]'])('leaves %s to others', (source) => {
    expect(() => characterText(set(source), 'pcre', false)).toThrow(UntranslatableError);
  });

  it('writes characters past U+FFFF', () => {
    expect(astralText('\u{1f916}', 'pcre')).toBe('(?:\\xF0\\x9F\\xA4\\x96)');
    expect(astralText('\u{1f916}', 're2')).toBe('\\x{1F916}');
  });
});
