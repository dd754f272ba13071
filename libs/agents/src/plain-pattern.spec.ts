import { parsePattern } from './pattern.js';
import { plainPattern } from './plain-pattern.js';

const plain = (source: string) => plainPattern(parsePattern(source)!);

describe('plainPattern', () => {
  it('takes texts between edges', () => {
    expect(plain('\\bGPT-Bot$')).toEqual({ text: 'gpt-bot', before: ['word'], after: ['end'], length: 7 });
    expect(plain('(?=^curl\\b).')).toEqual({ text: 'curl', before: ['start'], after: ['word'], length: 1 });
  });

  it.each([
    'ab',
    'Foo?',
    'Foo\\d',
    'Foo\\bBar',
    '(?!Foo).',
    '(?=Foo)',
    '(?=Foo)....',
    '(?=\\)foo)[^)]',
    'Foo|Bar',
    '(?<=Foo)bar',
  ])('takes no %s', (source) => {
    expect(plain(source)).toBeNull();
  });
});
