const ID = '019a0000-0000-7000-8000-000000000000';
const encoded = (text: string): string => Buffer.from(text).toString('base64url');

/** Texts that PostgreSQL, URLs or JavaScript take badly. */
const HOSTILE_WORDS = [
  '\0',
  'a\0b',
  '\uD800',
  'a\uDC00b',
  '\u0085\u202E',
  '%00',
  '%zz',
  '../../..',
  '[',
  ' ',
  'x'.repeat(600),
  'é😀'.repeat(3_000),
  '__proto__',
  'constructor',
  'https://shop.example/\0',
  'https://[',
  'somebody\0@example.com',
];

const HOSTILE_NUMBERS = ['-1', '0', '1e400', 'NaN', '0x10', '2147483648', '9223372036854775808', '9'.repeat(400)];

const HOSTILE_TIMES = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+05:00',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-05:00',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-20T00:00:00.000Z',
];

/** Of each kind that there is or was, with places that no list has. */
const HOSTILE_CURSORS = [
  `< -999999999999999 ${ID}`,
  `> 999999999999999 ${ID}`,
  `+275760-09-13T00:00:00.000Z ${ID}`,
  `0000-01-01T00:00:00.000Z ${ID}`,
  `2026-11-21T00:00:00.000Z ${'-'.repeat(36)}`,
  `{"side":"<","occurredAt":-999999999999999,"id":"${ID}"}`,
  `{"side":">","occurredAt":999999999999999,"id":"${ID}"}`,
  `{"side":"<","occurredAt":1e308,"id":"${ID}"}`,
  `{"side":"<","occurredAt":0,"id":"${'-'.repeat(36)}"}`,
  `[-999999999999999,"${ID}"]`,
  `{"failedAt":"+275760-09-13T00:00:00.000Z","id":"${ID}"}`,
  `{"failedAt":"0001-01-01T00:00:00.000Z","id":"${ID}"}`,
  '{"token":"a\\u0000"}',
  '{"key":1e300,"agentId":"x"}',
  '[1,2]',
  '["a\\u0000","a\\u0000"]',
  '["\\ud800"]',
  '{"__proto__":[]}',
  '[null]',
  'null',
  '[',
  '\0',
].map(encoded);

export const HOSTILE_TEXTS: readonly string[] = [
  ...HOSTILE_WORDS,
  ...HOSTILE_NUMBERS,
  ...HOSTILE_TIMES,
  ...HOSTILE_CURSORS,
  '-'.repeat(36),
  ID,
];

/** Values of a field in JSON. */
export const HOSTILE_FIELDS: readonly unknown[] = [
  ...HOSTILE_WORDS,
  ...HOSTILE_TIMES,
  '-'.repeat(36),
  null,
  true,
  -1,
  0.5,
  1e308,
  2 ** 53,
  [],
  [[]],
  [null],
  ['a\0b'],
  ['\uD800'],
  {},
  JSON.parse('{"__proto__":{"x":1},"constructor":1}'),
  { 'a\0b': '\uD800' },
];

/** What HTTP lets through in a header. */
export const HOSTILE_HEADERS: readonly string[] = [
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

/** Paths that try to leave a folder, or that are not paths. */
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
