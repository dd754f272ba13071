import { parsePattern } from './pattern.js';

describe('parsePattern', () => {
  it.each(['(', 'a{2', '(a)\\1', '\\p{L}', '(?<n>a)\\k<n>', 'a**', '\\cA'])('leaves %s alone', (source) => {
    expect(parsePattern(source)).toBeNull();
  });

  it('reads characters and classes as the engine does under the flag i', () => {
    const sets = [
      '.',
      '\\d',
      '\\D',
      '\\w',
      '\\W',
      '\\s',
      '\\S',
      '[^)]',
      '[A-Z]',
      '[^a-f]',
      '[\\w.-]',
      '[\\]x]',
      '\\t',
      'K',
      '\\-',
    ];
    for (const source of sets) {
      const node = parsePattern(source);
      const set = node?.kind === 'sequence' ? node.parts[0] : null;
      if (set?.kind !== 'set') throw new Error(source);
      const expression = new RegExp(`^${source}$`, 'i');
      for (let code = 0; code < 0x3000; code++) {
        const matches = expression.test(String.fromCharCode(code));
        const lower = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
        // Past ASCII a set may promise too much, never too little.
        if (code < 128) expect([source, code, set.codes.has(lower)]).toEqual([source, code, matches]);
        else if (matches && !set.others) throw new Error(`${source} matches ${code}`);
      }
    }
  });
});
