import { parsePattern } from './pattern.js';
import { plainPattern } from './plain-pattern.js';

const plain = (source: string) => plainPattern(parsePattern(source)!);

describe('plainPattern', () => {
  it('takes texts between edges', () => {
    expect(plain('\\bGPT-Bot$')).toEqual({ text: 'gpt-bot', before: ['word'], after: ['end'] });
    expect(plain('^curl\\b')).toEqual({ text: 'curl', before: ['start'], after: ['word'] });
  });

  it.each(['ab', 'Foo?', 'Foo\\d', 'Foo\\bBar', 'Foo|Bar'])('takes no %s', (source) => {
    expect(plain(source)).toBeNull();
  });
});
