import * as fc from 'fast-check';

const NOBODY = '00000000-0000-4000-8000-000000000000';
/** Limits of times: PostgreSQL starts in 4714 BC, ECMAScript has a wider range, and RFC 3339 has four-digit years. */
const TIMES = [
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
const cursor = (text: string): string => Buffer.from(text).toString('base64url');
/** Cursors in the current format, in formats of earlier releases, and in invalid ones. */
export const CURSORS: readonly string[] = [
  ...['<', '<=', '>'].flatMap((side) =>
    [-999_999_999_999_999, 999_999_999_999_999, 1e308, 0].map((occurredAt) =>
      cursor(JSON.stringify({ side, occurredAt, id: NOBODY })),
    ),
  ),
  ...TIMES.map((failedAt) => cursor(JSON.stringify({ failedAt, id: NOBODY }))),
  ...['<', '<=', '>'].flatMap((side) =>
    ['-999999999999999', '999999999999999', '0', 'NaN'].map((time) => cursor(`${side} ${time} ${NOBODY}`)),
  ),
  ...TIMES.flatMap((time) => [cursor(`${time} ${NOBODY}`), cursor(`${time} ${'-'.repeat(36)}`)]),
  ...['\0', '< 0 \0', '[', '[]', 'null', '[null]', '{"__proto__":1}', '-1', '9'.repeat(400)].map(cursor),
  ...['[1,2]', '["a\\u0000","a\\u0000"]', '["\\ud800"]', '{"token":"a\\u0000"}', '{"key":1e300,"agentId":"x"}'].map(
    cursor,
  ),
  cursor(`[-999999999999999,"${NOBODY}"]`),
];
/** Texts for every field. PostgreSQL rejects NUL, and lone surrogates aren't valid UTF-8. */
const ALWAYS = ['\0', 'a\ud800', '__proto__'];
/** Long enough that a quadratic regular expression needs seconds. */
const LONG = `${'x'.repeat(40_000)}\0`;
/** Texts that can cause errors in PostgreSQL, URLs, or JavaScript. */
const WORDS = [
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
  ...ALWAYS,
  ...WORDS,
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
  NOBODY,
  NOBODY.replaceAll('0', 'F'),
  `{${NOBODY}}`,
  `${NOBODY}\n`,
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

/** Values for every parameter, used in each run. */
export const PARAMETER_TEXTS: readonly string[] = [...TEXTS, ...TIMES];

/** Arbitrary UTF-16, including lone surrogates. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xff_ff }).map((code) => String.fromCharCode(code)) });
const repeated = (length: number): fc.Arbitrary<string> =>
  fc
    .constantFrom('x', 'x y', '\0', 'é', '\ud800', ' ', 'a.', '../', '%', '"', '\\', '[', '0')
    .map((unit) => unit.repeat(Math.floor(length / unit.length)));

/** Text for a URL or a header. */
export const shortText = fc.oneof(fc.constantFrom(...TEXTS, ...TIMES, ...CURSORS), anyText, repeated(5_000));

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
const deep = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);
const MEMBERS = Array.from({ length: 5_000 }, (_, index) => `"m${index}":${index}`).join();
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
  deep('[', ']', 60),
  deep('[', ']', 10_000),
  `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  `{${MEMBERS}}`,
  `[${'0,'.repeat(50_000)}0]`,
  `[${'"a\\u0000",'.repeat(5_000)}""]`,
  `[${'{},'.repeat(20_000)}{}]`,
];

/** Values as JSON. The first list is for every field in each run, the second only for fields that are fast to test. */
export const FIELD_VALUES: readonly string[] = [...ALWAYS, LONG].map((text) => JSON.stringify(text));
export const MORE_FIELD_VALUES: readonly string[] = [
  ...[...WORDS, ...TIMES].map((text) => JSON.stringify(text)),
  ...SMALL_SHAPES,
  '-1',
  '0.5',
  '1e308',
  '9007199254740992',
];

/** JSON text, including forms that `JSON.stringify` never produces. */
export const json = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(shortText, repeated(100_000)).map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.constantFrom(...SHAPES) },
  { weight: 1, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
);

/** Headers that are read by every route, or by a proxy in front of it. */
export const HEADERS = (
  'authorization cookie host origin sec-fetch-site x-forwarded-for forwarded x-real-ip x-forwarded-proto ' +
  'x-forwarded-host x-request-id traceparent accept accept-encoding range content-type content-encoding ' +
  'if-none-match if-modified-since user-agent expect'
).split(' ');

/** Removes characters that Node.js rejects in headers before a request is created. */
export const headerText = (text: string): string => text.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '');

/** Encodes text for a URL. Lone surrogates become the bytes that UTF-8 would have for them. */
export const addressText = (text: string): string =>
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
export const TRAVERSALS: readonly string[] = [
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
