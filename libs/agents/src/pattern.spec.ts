import { parsePattern, readPattern } from './pattern.js';

describe('parsePattern', () => {
  it.each(['GPTBot', '\\bFoo\\/[\\d.]+', '(?:a|[^)\\]-]|)x{2,80}$', '[$]\\-', 'a.\\(\\)\\{\\}\\^\\\\', '"#\''])(
    'accepts %s, like RegExp does',
    (source) => {
      expect(parsePattern(source)).not.toBeNull();
      expect(() => new RegExp(source, 'i')).not.toThrow();
    },
  );

  it.each([
    ['(?=curl).', 'has a look-ahead "(?=" at position 1: write the text itself;'],
    ['urllib(?!3)', 'has a look-ahead "(?!" at position 7: write what may follow'],
    ['(?<!like )Googlebot', 'has a look-behind "(?<!" at position 1: leave it out and list the texts'],
    ['a(?<=b)', 'has a look-behind "(?<=" at position 2'],
    ['a(b)', 'has a capturing group "(" at position 2: write (?: instead'],
    ['(?<host>b)', 'has a capturing group "(?<host>" at position 1: write'],
    ['(?:a)\\1', 'has a back-reference "\\1" at position 6: write the text again'],
    ['\\k', 'has a back-reference "\\k" at position 1'],
    ['a\\sb', 'has a class of spaces "\\s" at position 2: write a space'],
    ['[a\\D]', 'has a class "\\D" at position 3: write [^\\d]'],
    ['\\x41', 'has an escape "\\x" at position 1: write the character itself'],
    ['[\\cA]', 'has an escape "\\c" at position 2'],
    ['café', 'has a character outside printable ASCII "é" at position 4: write . for it'],
    ['a\u{1f916}', 'has a character outside printable ASCII "\u{1f916}" at position 2'],
    ['a\\', 'has a backslash without a character to escape "\\" at position 2: write \\\\'],
    ['[]a]', 'has an empty class "[]" at position 1: list its characters'],
    ['[^]', 'has an empty class "[^]" at position 1'],
    ['[a', 'has a class without its end "[" at position 1: close it with ]'],
    ['[[:alpha:]]', 'has a bracket within a class "[" at position 2: write \\['],
    ['[z-a]', 'has a range that ends before it starts "z-a" at position 2: swap its ends'],
    ['[\\w-z]', 'has a range of classes "\\w-z" at position 2: write \\- for a hyphen'],
    ['a]', 'has a character with a meaning of its own "]" at position 2: write \\]'],
    ['a{2', 'has a character with a meaning of its own "{" at position 2: write \\{'],
    ['*a', 'has a character with a meaning of its own "*" at position 1: write \\*'],
    ['a**', 'has a second repetition "*" at position 3: leave it out'],
    ['a+?', 'has a second repetition "?" at position 3: leave it out'],
    ['^*', 'has a repetition of an edge "*" at position 2: leave it out'],
    ['a{3,1}', 'has a repetition whose bounds are the wrong way round "{3,1}" at position 2: swap them'],
    ['a{1001}', 'has a repetition "{1001}" at position 2: repeat at most 1,000 times'],
    ['(?:a', 'has a group without its end "(?:" at position 1: close it with )'],
    ['a)', 'has a closing parenthesis without an opening one ")" at position 2: write \\)'],
  ])('rejects %s', (source, message) => {
    expect(parsePattern(source)).toBeNull();
    expect(() => readPattern(source)).toThrow(message);
  });

  it('limits the nesting depth of groups, so the stack cannot overflow', () => {
    const nested = (depth: number): string => `a${'(?:'.repeat(depth)}b${')'.repeat(depth)}`;
    expect(parsePattern(nested(20))).not.toBeNull();
    for (const depth of [21, 5_000]) {
      expect(() => readPattern(nested(depth))).toThrow(
        'has a group too deep "(?:" at position 62: nest at most 20 groups',
      );
    }
  });

  it('matches the same characters as RegExp with the i flag', () => {
    const wrong: [source: string, code: number, found: boolean][] = [];
    const sets = ['.', '\\d', '\\w', '[^)]', '[A-Z]', '[^a-f]', '[\\w.-]', '[-\\d]', '[\\]x]', '[^^\\w]', 'K', '\\-'];
    for (const source of sets) {
      const node = parsePattern(source);
      const set = node?.kind === 'sequence' ? node.parts[0] : null;
      if (set?.kind !== 'set') throw new Error(source);
      const expression = new RegExp(`^${source}$`, 'i');
      for (let code = 0; code < 0x3000; code++) {
        const matches = expression.test(String.fromCharCode(code));
        const lower = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
        // Line separators are exempt, because no header contains them.
        const found = code < 128 ? set.codes.has(lower) : set.others;
        if (found !== matches && !/[\n\r\u2028\u2029]/.test(String.fromCharCode(code)))
          wrong.push([source, code, found]);
      }
    }
    expect(wrong).toEqual([]);
  });
});
