/** Hostile request headers that fit a visit's size limit. Parsing them must be fast and must not throw. */
import * as fc from 'fast-check';

type RawHeaders = Record<string, unknown>;

const KIB = 1_024;
const ADDRESS_HEADERS = ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'CF-Connecting-IP', 'CloudFront-Viewer-Address'];
const SIGNATURE_HEADERS = ['Signature-Input', 'Signature', 'Signature-Agent', 'Content-Digest'];
const HEADER_NAMES = [
  ADDRESS_HEADERS,
  SIGNATURE_HEADERS,
  ['X-Client-IP', 'User-Agent', 'user-agent', 'USER-AGENT', 'Host', ':authority', ':path', 'Cookie'],
  ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'toJSON', 'then', 'length', '0', '-1', ''],
].flat();

/** Fragments of header values. Some of them are known to break parsers. */
const FRAGMENTS = [
  [',', ', ', ';', '"', '\\', '\\"', '=', '=?', ':', '::', '(', ')', '[', ']', '%', '/', '.', '*', '-', ' ', '\t'],
  ['\n', '\r\n ', '\n ', '\u0000', '\u007f', '\u00a0', '\ufffd', '\ud800', '\udfff', '\ud83d\ude00', '\u017f', 'a'],
  // Excludes addresses of known agents, which verify with a matching User-Agent. kit/forged-addresses.ts covers those.
  ['198.51.100.9, ', '10.0.0.1,', '::1,', '[::1]:80,', 'unix:,', 'for=', 'for=10.0.0.1,', 'for="', 'by=_x;', '1:'],
  ['sig1=("@authority");', 'sig1=:YQ==:,', '"@method" ', ';tag="web-bot-auth"', ';created=1', 'sig1="https://a",'],
  ['Googlebot ', 'Mozilla/5.0 ', 'bot/', '1.1.', '(+https://', 'spider ', 'constructor', '__proto__'],
].flat();

const repeatedFragments = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: maxLength }),
    )
    .map(([pieces, length]) => pieces.join('').repeat(Math.ceil(length / pieces.join('').length)));

/** Arbitrary UTF-16, including lone surrogates. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 }).map((units) => String.fromCharCode(...units)),
  fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 60 }).map((pieces) => pieces.join('')),
);

const oddHeaderValue = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true }),
  fc.anything({ withSparseArray: true, withTypedArray: true, withBoxedValues: true, withObjectString: true }),
  fc.constantFrom<unknown>(undefined, null, NaN, -0, Infinity, Symbol('header'), () => 'called', new Error('thrown')),
  fc.array(fc.oneof(anyText, fc.array(anyText), fc.constant(null), fc.double()), { maxLength: 30 }),
  fc.integer({ min: 1, max: 2_000 }).map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown),
);

const name = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...HEADER_NAMES) }, anyText);
const header = fc.tuple(name, fc.oneof({ weight: 3, arbitrary: anyText }, oddHeaderValue));

/** Treats `__proto__` as an ordinary property, as `JSON.parse` does. */
const toHeaders = (pairs: [string, unknown][]): RawHeaders => Object.fromEntries(pairs);

/** Arbitrary header objects with odd names and values, up to 1,000 headers, or single values of up to 100 KiB. */
export const hostileHeaders: fc.Arbitrary<RawHeaders> = fc.oneof(
  fc.array(header, { maxLength: 40 }).map(toHeaders),
  fc
    .tuple(fc.array(header, { maxLength: 10 }), fc.integer({ min: 1, max: 1_000 }), repeatedFragments(200))
    .map(([pairs, count, value]) =>
      toHeaders([...Array.from({ length: count }, (_, index): [string, unknown] => [`h-${index}`, value]), ...pairs]),
    ),
  fc
    .tuple(fc.array(header, { maxLength: 10 }), fc.constantFrom(...HEADER_NAMES), repeatedFragments(100 * KIB))
    .map(([pairs, large, value]) => toHeaders([...pairs, [large, value]])),
  fc.array(fc.tuple(fc.constantFrom(...HEADER_NAMES), repeatedFragments(10 * KIB)), { maxLength: 20 }).map(toHeaders),
);

const createPeerHeaders = (text: string): RawHeaders =>
  Object.fromEntries(['X-Real-IP', 'X-Client-IP', 'X-Cluster-Client-IP'].map((peer) => [peer, text]));
const caseVariants = Array.from({ length: 1_000 }, (_, number) =>
  [...'x-forwarded-for'].map((letter, index) => ((number >> index) & 1 ? letter.toUpperCase() : letter)).join(''),
);

/** Worst-case headers for parsers. Random generation would rarely produce them. */
export const COSTLY_HEADERS: readonly { name: string; headers: RawHeaders }[] = [
  {
    name: 'an X-Forwarded-For list to compare with every peer header',
    headers: {
      'X-Forwarded-For': `${', '.repeat(50 * KIB)}198.51.100.9, 10.0.0.1`,
      ...createPeerHeaders('10.0.0.1,'.repeat(20)),
    },
  },
  {
    name: 'a Forwarded list to compare with every peer header',
    headers: {
      Forwarded: `for=198.51.100.9${',for=10.0.0.1'.repeat(300)}`,
      ...createPeerHeaders('10.0.0.1,'.repeat(20)),
    },
  },
  {
    name: 'long lists to compare with each other',
    headers: {
      'X-Forwarded-For': '198.51.100.9, 10.0.0.1, '.concat('10.0.0.2,'.repeat(10 * KIB)),
      ...createPeerHeaders('10.0.0.1,'.repeat(10 * KIB)),
    },
  },
  {
    name: 'one header name in 1,000 case variants',
    headers: toHeaders(caseVariants.map((variant) => [variant, '10.0.0.1, '])),
  },
  { name: 'an array of 20,000 addresses', headers: { 'X-Forwarded-For': Array(20_000).fill('10.0.0.1') } },
  { name: 'folded lines', headers: { 'User-Agent': ' \t\r\n '.repeat(20 * KIB) } },
  { name: 'empty lines', headers: { 'User-Agent': '\n'.repeat(100 * KIB) } },
  {
    name: 'thousands of colons',
    headers: { 'X-Real-IP': ':'.repeat(100 * KIB), 'CF-Connecting-IP': `[${'1:'.repeat(50 * KIB)}]` },
  },
  { name: 'an unterminated quote full of escapes', headers: { Forwarded: `for="${'\\"'.repeat(50 * KIB)}` } },
  { name: 'thousands of agent names', headers: { 'User-Agent': 'GooglebotbingbotGPTBotspider '.repeat(3 * KIB) } },
];
