import { parsePattern, parsePatternOrThrow } from './pattern.js';

describe('parsePattern', () => {
  it.each(['GPTBot', '\\bFoo\\/[\\d.]+', '(?:a|[^)\\]-]|)x{2,80}$', '[$]\\-', 'a.\\(\\)\\{\\}\\^\\\\', '"#\''])(
    'accepts the pattern %s, as RegExp does',
    (source) => {
      expect(parsePattern(source)).not.toBeNull();
      expect(() => new RegExp(source, 'i')).not.toThrow();
    },
  );

  it.each([
    ['(?=curl).', 'has a look-ahead "(?=" at position 1: write the text itself;'],
    ['urllib(?!3)', 'has a look-ahead "(?!" at position 7: write what may follow'],
    ['(?<!like )Googlebot', 'has a look-behind "(?<!" at position 1: remove it and list the prefixes'],
    ['a(?<=b)', 'has a look-behind "(?<=" at position 2'],
    ['a(b)', 'has a capturing group "(" at position 2: write (?: instead'],
    ['(?<host>b)', 'has a capturing group "(?<host>" at position 1: write'],
    ['(?:a)\\1', 'has a back-reference "\\1" at position 6: repeat the text'],
    ['\\k', 'has a back-reference "\\k" at position 1'],
    ['a\\sb', 'has a whitespace class "\\s" at position 2: write a space'],
    ['[a\\D]', 'has a class "\\D" at position 3: write [^\\d]'],
    ['\\x41', 'has an escape "\\x" at position 1: write the character itself'],
    ['[\\cA]', 'has an escape "\\c" at position 2'],
    ['café', 'has a character outside printable ASCII "é" at position 4: write . for it'],
    ['a\u{1f916}', 'has a character outside printable ASCII "\u{1f916}" at position 2'],
    ['a\\', 'has an incomplete escape "\\" at position 2: write \\\\'],
    ['[]a]', 'has an empty class "[]" at position 1: list its characters'],
    ['[^]', 'has an empty class "[^]" at position 1'],
    ['[a', 'has an unclosed class "[" at position 1: close it with ]'],
    ['[[:alpha:]]', 'has an unescaped bracket in a class "[" at position 2: write \\['],
    ['[z-a]', 'has a reversed range "z-a" at position 2: swap its ends'],
    ['[\\w-z]', 'has a range between classes "\\w-z" at position 2: write \\- for a literal hyphen'],
    ['a]', 'has an unescaped special character "]" at position 2: write \\]'],
    ['a{2', 'has an unescaped special character "{" at position 2: write \\{'],
    ['*a', 'has an unescaped special character "*" at position 1: write \\*'],
    ['a**', 'has a second quantifier "*" at position 3: remove it'],
    ['a+?', 'has a second quantifier "?" at position 3: remove it'],
    ['^*', 'has a repeated anchor "*" at position 2: remove it'],
    ['a{3,1}', 'has a repetition with reversed bounds "{3,1}" at position 2: swap them'],
    ['a{1001}', 'has a repetition "{1001}" at position 2: repeat at most 1,000 times'],
    ['(?:a', 'has an unclosed group "(?:" at position 1: close it with )'],
    ['a)', 'has an unmatched closing parenthesis ")" at position 2: write \\)'],
  ])('rejects the pattern %s', (source, message) => {
    expect(parsePattern(source)).toBeNull();
    expect(() => parsePatternOrThrow(source)).toThrow(message);
  });

  it('limits the nesting depth of groups to protect the stack', () => {
    const nested = (depth: number): string => `a${'(?:'.repeat(depth)}b${')'.repeat(depth)}`;
    expect(parsePattern(nested(20))).not.toBeNull();
    for (const depth of [21, 5_000]) {
      expect(() => parsePatternOrThrow(nested(depth))).toThrow(
        'has a group nested too deeply "(?:" at position 62: nest at most 20 groups',
      );
    }
  });

  it('matches the same characters as RegExp with the i flag', () => {
    const mismatches: [source: string, code: number, found: boolean][] = [];
    const sets = ['.', '\\d', '\\w', '[^)]', '[A-Z]', '[^a-f]', '[\\w.-]', '[-\\d]', '[\\]x]', '[^^\\w]', 'K', '\\-'];
    for (const source of sets) {
      const node = parsePattern(source);
      const set = node?.kind === 'sequence' ? node.parts[0] : null;
      if (set?.kind !== 'set') throw new Error(source);
      const expression = new RegExp(`^${source}$`, 'i');
      for (let code = 0; code < 0x3000; code++) {
        const matches = expression.test(String.fromCharCode(code));
        const lower = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
        // Line separators are skipped, because headers can't contain them.
        const found = code < 128 ? set.codes.has(lower) : set.others;
        if (found !== matches && !/[\n\r\u2028\u2029]/.test(String.fromCharCode(code)))
          mismatches.push([source, code, found]);
      }
    }
    expect(mismatches).toEqual([]);
  });
});
