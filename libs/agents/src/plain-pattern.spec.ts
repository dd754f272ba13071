import { parsePattern } from './pattern.js';
import { toPlainPattern, parsePlainText } from './plain-pattern.js';

const parsePlain = (source: string) => toPlainPattern(parsePattern(source)!);

describe('toPlainPattern', () => {
  it('accepts a literal between assertions', () => {
    expect(parsePlain('\\bGPT-Bot$')).toEqual({ text: 'gpt-bot', before: ['word'], after: ['end'] });
    expect(parsePlain('^curl\\b')).toEqual({ text: 'curl', before: ['start'], after: ['word'] });
  });

  it.each(['ab', 'Foo?', 'Foo\\d', 'Foo\\bBar', 'Foo|Bar'])('rejects %s, which is not a plain pattern', (source) => {
    expect(parsePlain(source)).toBeNull();
  });
});

describe('parsePlainText', () => {
  it.each(['GPTBot', 'Foo_1 Bar/2-x'])('parses %s as the pattern parser does', (source) => {
    expect(parsePlainText(source)).toEqual(parsePlain(source));
    expect(parsePlainText(source)).not.toBeNull();
  });

  it('returns null for sources that require the parser', () => {
    const printable = Array.from({ length: 0x5f }, (_, index) => String.fromCharCode(0x20 + index));
    const rejectedCharacters = printable.filter((character) => parsePlainText(`Bot${character}`) === null).join('');
    expect(rejectedCharacters).toBe('!"#$%&\'()*+,.:;<=>?@[\\]^`{|}~');
    expect([
      parsePlainText('ab'),
      parsePlainText('Bot\n'),
      parsePlainText('Böt'),
      parsePlainText('\u212Aelvin'),
    ]).toEqual(Array(4).fill(null));
  });
});
