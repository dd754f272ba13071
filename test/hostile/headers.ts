/** Hostile headers within the size limit of a visit. Parsing them must not throw or take long. */
import * as fc from 'fast-check';

type RawHeaders = Record<string, unknown>;

const KIB = 1_024;
const ADDRESS_HEADERS = ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'CF-Connecting-IP', 'CloudFront-Viewer-Address'];
const SIGNATURE_HEADERS = ['Signature-Input', 'Signature', 'Signature-Agent', 'Content-Digest'];
const NAMES = [
  ADDRESS_HEADERS,
  SIGNATURE_HEADERS,
  ['X-Client-IP', 'User-Agent', 'user-agent', 'USER-AGENT', 'Host', ':authority', ':path', 'Cookie'],
  ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'toJSON', 'then', 'length', '0', '-1', ''],
].flat();

/** Building blocks of headers, some of which break parsers. */
const PIECES = [
  [',', ', ', ';', '"', '\\', '\\"', '=', '=?', ':', '::', '(', ')', '[', ']', '%', '/', '.', '*', '-', ' ', '\t'],
  ['\n', '\r\n ', '\n ', '\u0000', '\u007f', '\u00a0', '\ufffd', '\ud800', '\udfff', '\ud83d\ude00', '\u017f', 'a'],
  // No addresses of known agents: with a matching User-Agent, they'd be genuine. kit/forged-addresses.ts covers those.
  ['198.51.100.9, ', '10.0.0.1,', '::1,', '[::1]:80,', 'unix:,', 'for=', 'for=10.0.0.1,', 'for="', 'by=_x;', '1:'],
  ['sig1=("@authority");', 'sig1=:YQ==:,', '"@method" ', ';tag="web-bot-auth"', ';created=1', 'sig1="https://a",'],
  ['Googlebot ', 'Mozilla/5.0 ', 'bot/', '1.1.', '(+https://', 'spider ', 'constructor', '__proto__'],
].flat();

const repeated = (most: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: most }))
    .map(([pieces, length]) => pieces.join('').repeat(Math.ceil(length / pieces.join('').length)));

/** Arbitrary UTF-16, including lone surrogates. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 }).map((units) => String.fromCharCode(...units)),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join('')),
);

const oddValue = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true }),
  fc.anything({ withSparseArray: true, withTypedArray: true, withBoxedValues: true, withObjectString: true }),
  fc.constantFrom<unknown>(undefined, null, NaN, -0, Infinity, Symbol('header'), () => 'called', new Error('thrown')),
  fc.array(fc.oneof(anyText, fc.array(anyText), fc.constant(null), fc.double()), { maxLength: 30 }),
  fc.integer({ min: 1, max: 2_000 }).map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown),
);

const name = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...NAMES) }, anyText);
const header = fc.tuple(name, fc.oneof({ weight: 3, arbitrary: anyText }, oddValue));

/** Like `JSON.parse`, treats `__proto__` as an ordinary member. */
const headersOf = (pairs: [string, unknown][]): RawHeaders => Object.fromEntries(pairs);

/** Arbitrary header objects: odd names and values, up to a thousand headers, or single values of up to 100 KiB. */
export const hostileHeaders: fc.Arbitrary<RawHeaders> = fc.oneof(
  fc.array(header, { maxLength: 40 }).map(headersOf),
  fc
    .tuple(fc.array(header, { maxLength: 10 }), fc.integer({ min: 1, max: 1_000 }), repeated(200))
    .map(([pairs, count, value]) =>
      headersOf([...Array.from({ length: count }, (_, index): [string, unknown] => [`h-${index}`, value]), ...pairs]),
    ),
  fc
    .tuple(fc.array(header, { maxLength: 10 }), fc.constantFrom(...NAMES), repeated(100 * KIB))
    .map(([pairs, large, value]) => headersOf([...pairs, [large, value]])),
  fc.array(fc.tuple(fc.constantFrom(...NAMES), repeated(10 * KIB)), { maxLength: 20 }).map(headersOf),
);

const peers = (text: string): RawHeaders =>
  Object.fromEntries(['X-Real-IP', 'X-Client-IP', 'X-Cluster-Client-IP'].map((peer) => [peer, text]));
const caseVariants = Array.from({ length: 1_000 }, (_, number) =>
  [...'x-forwarded-for'].map((letter, index) => ((number >> index) & 1 ? letter.toUpperCase() : letter)).join(''),
);

/** Headers whose processing cost multiplies. Random generation would rarely produce them. */
export const COSTLY_HEADERS: readonly { name: string; headers: RawHeaders }[] = [
  {
    name: 'a list that every peer is compared with',
    headers: {
      'X-Forwarded-For': `${', '.repeat(50 * KIB)}198.51.100.9, 10.0.0.1`,
      ...peers('10.0.0.1,'.repeat(20)),
    },
  },
  {
    name: 'a Forwarded that every peer is compared with',
    headers: { Forwarded: `for=198.51.100.9${',for=10.0.0.1'.repeat(300)}`, ...peers('10.0.0.1,'.repeat(20)) },
  },
  {
    name: 'lists that are compared with one another',
    headers: {
      'X-Forwarded-For': '198.51.100.9, 10.0.0.1, '.concat('10.0.0.2,'.repeat(10 * KIB)),
      ...peers('10.0.0.1,'.repeat(10 * KIB)),
    },
  },
  { name: 'a name in a thousand cases', headers: headersOf(caseVariants.map((variant) => [variant, '10.0.0.1, '])) },
  { name: 'an array of 20,000', headers: { 'X-Forwarded-For': Array(20_000).fill('10.0.0.1') } },
  { name: 'folded lines', headers: { 'User-Agent': ' \t\r\n '.repeat(20 * KIB) } },
  { name: 'empty lines', headers: { 'User-Agent': '\n'.repeat(100 * KIB) } },
  { name: 'colons', headers: { 'X-Real-IP': ':'.repeat(100 * KIB), 'CF-Connecting-IP': `[${'1:'.repeat(50 * KIB)}]` } },
  { name: 'an open quote full of escapes', headers: { Forwarded: `for="${'\\"'.repeat(50 * KIB)}` } },
  { name: 'half of nothing but agents', headers: { 'User-Agent': 'GooglebotbingbotGPTBotspider '.repeat(3 * KIB) } },
];
