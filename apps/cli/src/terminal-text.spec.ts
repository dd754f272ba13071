import { localTime, plural, truncate, renderTable, escapeInvisible } from './terminal-text.js';

it('escapes characters that could control a terminal', () => {
  expect(escapeInvisible('/a\u001b]52;c;x\u0007\r\n')).toBe('/a\\x1b]52;c;x\\x07\\x0d\\x0a');
  expect(escapeInvisible('a\u202eb\u009b1m')).toBe('a\\u202eb\\x9b1m');
  expect(escapeInvisible('a\u200b\u200d\u2028\u2029\ufeff\u00ad\u2060\u2064')).toBe(
    'a\\u200b\\u200d\\u2028\\u2029\\ufeff\\xad\\u2060\\u2064',
  );
  expect(escapeInvisible('a\u{e0041}\u{e0000}\u{e007f}')).toBe('a\\u{e0041}\\u{e0000}\\u{e007f}');
  // Variation selectors, fillers and the Braille blank.
  expect(escapeInvisible('a\u{e0100}\ufe01\u3164\u115f\u034f\u2800')).toBe(
    'a\\u{e0100}\\ufe01\\u3164\\u115f\\u034f\\u2800',
  );
  expect(escapeInvisible('Тест 日本語 é')).toBe('Тест 日本語 é');
  expect(escapeInvisible('a\n\tb\r', '\n\t')).toBe('a\n\tb\\x0d');
});

it('aligns columns, ignoring escape sequences', () => {
  expect(
    renderTable(
      ['ID', 'NAME'],
      [
        ['1', 'a'],
        ['22', '\u001b[31mb\u001b[0m'],
        ['3', ''],
      ],
    ),
  ).toBe('ID  NAME\n1   a\n22  \u001b[31mb\u001b[0m\n3');
});

it('formats times and counts and truncates long text', () => {
  expect(localTime('2026-11-21T08:30:00.123')).toBe('2026-11-21 08:30:00');
  expect(localTime('never')).toBe('never');
  expect([plural(1, 'line'), plural(1_000, 'line')]).toEqual(['1 line', '1,000 lines']);
  expect([truncate('abcdef', 4), truncate('abcd', 4)]).toEqual(['abc…', 'abcd']);
});
