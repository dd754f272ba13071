import { parsePattern } from './pattern.js';
import { plainPattern, plainText } from './plain-pattern.js';

const plain = (source: string) => plainPattern(parsePattern(source)!);

describe('plainPattern', () => {
  it('accepts a text between edges', () => {
    expect(plain('\\bGPT-Bot$')).toEqual({ text: 'gpt-bot', before: ['word'], after: ['end'] });
    expect(plain('^curl\\b')).toEqual({ text: 'curl', before: ['start'], after: ['word'] });
  });

  it.each(['ab', 'Foo?', 'Foo\\d', 'Foo\\bBar', 'Foo|Bar'])('rejects %s', (source) => {
    expect(plain(source)).toBeNull();
  });
});

describe('plainText', () => {
  it.each(['GPTBot', 'Foo_1 Bar/2-x'])('reads %s like the parser does', (source) => {
    expect(plainText(source)).toEqual(plain(source));
    expect(plainText(source)).not.toBeNull();
  });

  it('rejects texts that need the parser', () => {
    const printable = Array.from({ length: 0x5f }, (_, index) => String.fromCharCode(0x20 + index));
    const others = printable.filter((character) => plainText(`Bot${character}`) === null).join('');
    expect(others).toBe('!"#$%&\'()*+,.:;<=>?@[\\]^`{|}~');
    expect([plainText('ab'), plainText('Bot\n'), plainText('Böt'), plainText('\u212Aelvin')]).toEqual(
      Array(4).fill(null),
    );
  });
});
