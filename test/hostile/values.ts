import * as fc from 'fast-check';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
/**
 * Timestamps at the limits of PostgreSQL (4714 BC), ECMAScript (years -271821 to 275760) and RFC 3339 (four-digit years),
 * and invalid ones.
 */
const TIMESTAMPS = [
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '-004714-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+05:00',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-05:00',
  '9999-12-31T23:59:59.999999999Z',
  '2026-02-30T00:00:00Z',
  '2026-11-22T24:00:60+99:99',
];
const encodeCursor = (text: string): string => Buffer.from(text).toString('base64url');
/** Cursors in the current format, in formats from earlier releases, and in invalid formats. */
export const CURSORS: readonly string[] = [
  ...['<', '<=', '>'].flatMap((side) =>
    [-999_999_999_999_999, 999_999_999_999_999, 1e308, 0].map((occurredAt) =>
      encodeCursor(JSON.stringify({ side, occurredAt, id: UNKNOWN_ID })),
    ),
  ),
  ...TIMESTAMPS.map((failedAt) => encodeCursor(JSON.stringify({ failedAt, id: UNKNOWN_ID }))),
  ...['<', '<=', '>'].flatMap((side) =>
    ['-999999999999999', '999999999999999', '0', 'NaN'].map((time) => encodeCursor(`${side} ${time} ${UNKNOWN_ID}`)),
  ),
  ...TIMESTAMPS.flatMap((time) => [encodeCursor(`${time} ${UNKNOWN_ID}`), encodeCursor(`${time} ${'-'.repeat(36)}`)]),
  ...['\0', '< 0 \0', '[', '[]', 'null', '[null]', '{"__proto__":1}', '-1', '9'.repeat(400)].map(encodeCursor),
  ...['[1,2]', '["a\\u0000","a\\u0000"]', '["\\ud800"]', '{"token":"a\\u0000"}', '{"key":1e300,"agentId":"x"}'].map(
    encodeCursor,
  ),
  encodeCursor(`[-999999999999999,"${UNKNOWN_ID}"]`),
];
/** Texts to try in every field. PostgreSQL rejects NUL, and UTF-8 can't encode a lone surrogate. */
const BASIC_TEXTS = ['\0', 'a\ud800', '__proto__'];
/** Text on which a quadratic regular expression takes seconds. */
const LONG_TEXT = `${'x'.repeat(40_000)}\0`;
/** Texts that may cause errors in PostgreSQL, URL parsers or JavaScript. */
const ERROR_PRONE_TEXTS = [
  'a\0b',
  '\ud800',
  'a\udfffb',
  '\u0085\u202E',
  '../../..',
  'https://shop.example/\0',
  'https://[',
  'somebody\0@example.com',
  'x'.repeat(600),
  'é😀'.repeat(3_000),
];
const TEXTS = [
  ...BASIC_TEXTS,
  ...ERROR_PRONE_TEXTS,
  '\u001b[2J',
  '\u202e',
  '\ufffe',
  '\r\nX: y',
  '\u00a0',
  '\u{1f4a9}',
  'constructor',
  'toString',
  'null',
  'undefined',
  'true',
  '-0',
  '-1',
  '0',
  '1e309',
  'NaN',
  '0x10',
  '2147483648',
  '9223372036854775808',
  '9'.repeat(400),
  '١٢',
  '%',
  '%00',
  '%zz',
  '..',
  '../..',
  '\\',
  "'",
  '"',
  '`',
  '${x}',
  '$1',
  '*',
  '(a+)+$',
  '[',
  '[::',
  ' ',
  '',
  '-'.repeat(36),
  UNKNOWN_ID,
  UNKNOWN_ID.replaceAll('0', 'F'),
  `{${UNKNOWN_ID}}`,
  `${UNKNOWN_ID}\n`,
  'https://a\0.example/',
  'https://[::',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '//evil.example',
  '192.0.2.0/33',
  '::ffff:0/129',
  'fe80::1%eth0',
  '999.999.999.999',
];

export const PARAMETER_TEXTS: readonly string[] = [...TEXTS, ...TIMESTAMPS];

/** Arbitrary UTF-16, including lone surrogates. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xff_ff }).map((code) => String.fromCharCode(code)) });
const repeatedText = (length: number): fc.Arbitrary<string> =>
  fc
    .constantFrom('x', 'x y', '\0', 'é', '\ud800', ' ', 'a.', '../', '%', '"', '\\', '[', '0')
    .map((unit) => unit.repeat(Math.floor(length / unit.length)));

/** Hostile text for a URL or header. */
export const shortText = fc.oneof(fc.constantFrom(...TEXTS, ...TIMESTAMPS, ...CURSORS), anyText, repeatedText(5_000));

const NUMBERS = [
  '1e309',
  '-1e309',
  '-0',
  '0.0',
  '1e-400',
  '9007199254740993',
  '-9007199254740993',
  '2147483648',
  '-1',
  '1.5',
  '18446744073709551616',
  `1${'0'.repeat(400)}`,
  `0.${'3'.repeat(400)}`,
  '1E+2',
];
const nest = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);
const MANY_MEMBERS = Array.from({ length: 5_000 }, (_, index) => `"m${index}":${index}`).join();
const SMALL_SHAPES = [
  'null',
  'true',
  'false',
  '""',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"":""}',
  '"x"',
  '["x","x"]',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"a":1,"a":2}',
  '{"\\u0000":1}',
  '["a\\u0000"]',
  '["\\ud800"]',
];
const SHAPES = [
  ...SMALL_SHAPES,
  nest('[', ']', 60),
  nest('[', ']', 10_000),
  `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  `{${MANY_MEMBERS}}`,
  `[${'0,'.repeat(50_000)}0]`,
  `[${'"a\\u0000",'.repeat(5_000)}""]`,
  `[${'{},'.repeat(20_000)}{}]`,
];

/** JSON values to try in every field. */
export const FIELD_VALUES: readonly string[] = [...BASIC_TEXTS, LONG_TEXT].map((text) => JSON.stringify(text));
/** Additional JSON values for operations that are fast to test. */
export const MORE_FIELD_VALUES: readonly string[] = [
  ...[...ERROR_PRONE_TEXTS, ...TIMESTAMPS].map((text) => JSON.stringify(text)),
  ...SMALL_SHAPES,
  '-1',
  '0.5',
  '1e308',
  '9007199254740992',
];

/** JSON text, including forms that `JSON.stringify` never produces. */
export const jsonText = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(shortText, repeatedText(100_000)).map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.constantFrom(...SHAPES) },
  { weight: 1, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
);

/** Headers that every route, or a proxy in front of it, reads. */
export const HEADER_NAMES = (
  'authorization cookie host origin sec-fetch-site x-forwarded-for forwarded x-real-ip x-forwarded-proto ' +
  'x-forwarded-host x-request-id traceparent accept accept-encoding range content-type content-encoding ' +
  'if-none-match if-modified-since user-agent expect'
).split(' ');

/** Removes characters that Node.js doesn't accept in header values. */
export const toHeaderValue = (text: string): string => text.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '');

/** Percent-encodes text for a URL. Lone surrogates become `%ED%A0%80`, which is not valid UTF-8. */
export const encodeForUrl = (text: string): string =>
  [...text].map((unit) => (unit.isWellFormed() ? encodeURIComponent(unit) : '%ED%A0%80')).join('');

export const HEADER_VALUES: readonly string[] = [
  '',
  '[',
  ']',
  '[::1',
  '[::1]:99999',
  '%',
  '%00',
  'a b',
  'a:b:c',
  'a@b',
  'a/b',
  '\\',
  '"',
  '\xFF\xFE',
  ',;=',
  '=',
  ';;;',
  '..',
  '*',
  '-1',
  'https://[',
  'null',
  'Bearer \xFF',
  'bytes=9-1',
  '__proto__',
  'x'.repeat(5_000),
];

/** Path traversal attempts and invalid paths. */
export const TRAVERSAL_PATHS: readonly string[] = [
  '../index.html',
  '..%2findex.html',
  '%2e%2e/index.html',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%5c..%5cindex.html',
  '....//....//index.html',
  'x/../../index.html',
  '%00',
  'x.js%00.css',
  '%c0%ae%c0%ae/index.html',
  '%zz',
  '%',
  '.env',
  '/etc/passwd',
  '//etc/passwd',
  '',
  '.',
  '..',
  'x'.repeat(5_000),
];
