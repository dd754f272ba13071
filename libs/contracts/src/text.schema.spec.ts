import { isSingleLine, isPostgresText, Name } from './text.schema.js';
import { validator } from './validator.js';

it.each(['Shop', 'Ünïcode 😀', 'שלום', "O'Neil; --", 'x'])('accepts %p as a name', (text) => {
  expect([isPostgresText(text), isSingleLine(text)]).toEqual([true, true]);
});

it.each(['', ' ', 'a\nb', '\u001B[31m', '\u0085', 'a\u2028b', 'a\u2029b'])(
  'accepts %p as stored text, but not as a name',
  (text) => {
    expect([isPostgresText(text), isSingleLine(text)]).toEqual([true, false]);
  },
);

it.each(['\0', 'a\0b', '\uD800', 'a\uDC00b', '\uDE00\uD83D'])('rejects %j as stored text', (text) => {
  expect([isPostgresText(text), isSingleLine(text)]).toEqual([false, false]);
});

it('explains why a name is invalid', () => {
  expect(validator(Name).faults('a\0b')).toEqual([
    { pointer: '', detail: 'must be text on one line, without control characters, and not blank' },
  ]);
});
