import { array, assert, constantFrom, dictionary, oneof, property, string } from 'fast-check';
import { resolveClientAddress } from './client-address.js';
import { LIST_HEADERS, SINGLE_HEADERS } from './forwarding-headers.js';
import { normalizeHeaders } from './headers.js';
import type { ProjectProxies } from './project-proxies.js';
import { compileProxyNetworks } from './proxy-networks.js';

// Excerpt from Cloudflare's published ranges. It contains EDGE.
const networks = compileProxyNetworks([
  {
    operator: 'Cloudflare',
    ranges: ['172.64.0.0/13', '2a06:98c0::/29'],
    client_address_header: 'cf-connecting-ip',
  },
]);
const EDGE = '172.71.147.183';
const CLIENT = '198.51.100.9';
const FORGED = '66.249.66.1';

type Expected = [address: string | null, source: string | null, reason: string];

function findAddress(
  headers: Record<string, unknown>,
  proxies: ProjectProxies = {},
  peer: string | null = null,
): Expected {
  const { address, source, reason } = resolveClientAddress(normalizeHeaders(headers), proxies, networks, peer);
  return [address, source, reason];
}

const XFF = 'x-forwarded-for';
const cases: [string, Record<string, unknown>, ProjectProxies, Expected][] = [
  // Forwarding lists with default settings
  ['returns null if no header contains an address', {}, {}, [null, null, 'no_address_header']],
  ['returns the only entry in a list', { [XFF]: CLIENT }, {}, [CLIENT, XFF, 'forwarded_list']],
  ['ignores a forged entry on the left', { [XFF]: `${FORGED}, ${CLIENT}` }, {}, [CLIENT, XFF, 'forwarded_list']],
  [
    'uses the last of two X-Forwarded-For headers',
    { 'X-Forwarded-For': FORGED, [XFF]: CLIENT },
    {},
    [CLIENT, XFF, 'forwarded_list'],
  ],
  ['skips a CDN edge', { [XFF]: `${FORGED},${CLIENT},${EDGE}` }, {}, [CLIENT, XFF, 'forwarded_list']],
  [
    'skips internal hops',
    { [XFF]: `${FORGED}, ${CLIENT}, 10.0.0.1, 100.64.3.4, fd00::1` },
    {},
    [CLIENT, XFF, 'forwarded_list'],
  ],
  [
    'returns null if the list contains only proxies',
    { [XFF]: `10.0.0.1, ${EDGE}` },
    {},
    [null, XFF, 'only_trusted_proxies'],
  ],
  [
    'stops at a malformed entry to the right of a forged one',
    { [XFF]: `${FORGED}, unknown` },
    {},
    [null, XFF, 'malformed'],
  ],
  [
    'ignores a malformed entry to the left of the client',
    { [XFF]: `<script>, ${CLIENT}` },
    {},
    [CLIENT, XFF, 'forwarded_list'],
  ],
  ['stops at a malformed entry between proxies', { [XFF]: `${FORGED}, x, 10.0.0.1` }, {}, [null, XFF, 'malformed']],
  ['ignores empty list elements', { [XFF]: `, ${CLIENT} ,,` }, {}, [CLIENT, XFF, 'forwarded_list']],
  ['treats a list of only commas as missing', { [XFF]: ', ,' }, {}, [null, null, 'no_address_header']],
  ['accepts a port', { [XFF]: `${CLIENT}:5060` }, {}, [CLIENT, XFF, 'forwarded_list']],
  ['accepts an IPv6 address in brackets', { [XFF]: '[2001:DB8::1]:443' }, {}, ['2001:db8::1', XFF, 'forwarded_list']],
  ['skips an IPv4-mapped CDN edge', { [XFF]: `${CLIENT}, ::ffff:${EDGE}` }, {}, [CLIENT, XFF, 'forwarded_list']],
  [
    'reads a limited number of hops',
    { [XFF]: `${FORGED}${', 10.0.0.1'.repeat(20)}` },
    {},
    [null, XFF, 'only_trusted_proxies'],
  ],
  [
    'reads a limited number of characters',
    { [XFF]: `${FORGED}${' ,'.repeat(2_048)}, 10.0.0.1` },
    {},
    [null, XFF, 'malformed'],
  ],
  [
    'rejects an entry truncated by the limit',
    { [XFF]: `1${FORGED}${' '.repeat(4_075)}, 10.0.0.1` },
    {},
    [null, XFF, 'malformed'],
  ],
  // Forwarded (RFC 7239)
  [
    'parses Forwarded',
    { forwarded: `for=${FORGED}, for="[2001:db8::7]:47011";proto=https` },
    {},
    ['2001:db8::7', 'forwarded', 'forwarded_list'],
  ],
  [
    'rejects a hidden identifier in Forwarded',
    { forwarded: `for=${FORGED}, for=_hidden` },
    {},
    [null, 'forwarded', 'malformed'],
  ],
  [
    'rejects a Forwarded element without a for parameter',
    { forwarded: `for=${FORGED}, by=10.0.0.1` },
    {},
    [null, 'forwarded', 'malformed'],
  ],
  [
    'rejects an unclosed quote in Forwarded',
    { forwarded: `for=${FORGED};x=", for=${CLIENT}` },
    {},
    [null, 'forwarded', 'malformed'],
  ],
  [
    'rejects a quoted string that swallows the next element',
    { forwarded: `for=${FORGED};x=", for="[2001:db8::7]"` },
    {},
    [null, 'forwarded', 'malformed'],
  ],
  [
    'rejects an oversized Forwarded header',
    { forwarded: `for=${FORGED};x="${'y'.repeat(5_000)}", for=${CLIENT}` },
    {},
    [null, 'forwarded', 'malformed'],
  ],
  ['accepts two lists that agree', { forwarded: `for=${CLIENT}`, [XFF]: CLIENT }, {}, [CLIENT, XFF, 'forwarded_list']],
  [
    'returns null if Forwarded and X-Forwarded-For disagree',
    { forwarded: `for=${FORGED}`, [XFF]: CLIENT },
    {},
    [null, null, 'headers_disagree'],
  ],
  [
    'accepts a trailing comma in Forwarded',
    { forwarded: `for=${CLIENT},` },
    {},
    [CLIENT, 'forwarded', 'forwarded_list'],
  ],
  [
    'ignores empty elements in Forwarded',
    { forwarded: `, for=${FORGED} ,,for=${CLIENT};proto=https , ,` },
    {},
    [CLIENT, 'forwarded', 'forwarded_list'],
  ],
  [
    'ignores empty parameters in Forwarded',
    { forwarded: `;for=${FORGED};, ;; For=${CLIENT};;proto=https;` },
    {},
    [CLIENT, 'forwarded', 'forwarded_list'],
  ],
  [
    'accepts a port and an unquoted IPv6 address in Forwarded',
    { forwarded: `for=${CLIENT}:47011, for=[fd00::7]:443, for=10.0.0.1` },
    {},
    [CLIENT, 'forwarded', 'forwarded_list'],
  ],
  [
    'decodes escapes in Forwarded',
    { forwarded: `for="${FORGED.replaceAll('.', String.raw`\.`)}", for="[2001:db8::\\7]"` },
    {},
    ['2001:db8::7', 'forwarded', 'forwarded_list'],
  ],
  [
    'rejects a Forwarded element with two addresses',
    { forwarded: `for=${FORGED};for=${CLIENT}` },
    {},
    [null, 'forwarded', 'malformed'],
  ],
  [
    'rejects a Forwarded element with a hidden identifier and an address',
    { forwarded: `for=_x;for=${FORGED}` },
    {},
    [null, 'forwarded', 'malformed'],
  ],
  [
    'treats a Forwarded header of only separators as missing',
    { forwarded: ' ,;, ' },
    {},
    [null, null, 'no_address_header'],
  ],
  [
    'rejects a space in a Forwarded parameter',
    { forwarded: `for=${FORGED} for=${CLIENT}` },
    {},
    [null, 'forwarded', 'malformed'],
  ],
  // Special-purpose addresses, which no visitor can have
  ...[
    '198.18.0.5',
    '198.19.255.1',
    '192.0.0.9',
    '192.88.99.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '192.175.48.1',
    '64:ff9b::a00:1',
    '64:ff9b::c612:5',
    '64:ff9b:1::1',
    '100::1',
    '100:0:0:1::1',
    '2001::1',
    '2001:20::1',
    '2002:808:808::1',
    '5f00::1',
    'fec0::1',
    'ff02::1',
    '::ffff:198.18.0.5',
    '::ffff:f000:1',
    '::8.8.8.8',
    '4000::1',
  ].map((special): (typeof cases)[number] => [
    `rejects the special-purpose address ${special}`,
    { [XFF]: `${FORGED}, ${special}` },
    {},
    [null, XFF, 'special_purpose_address'],
  ]),
  [
    'rejects a special-purpose address in Forwarded',
    { forwarded: `for=${FORGED}, for="[ff02::1]"` },
    {},
    [null, 'forwarded', 'special_purpose_address'],
  ],
  [
    'rejects a special-purpose address in a single-address header',
    { 'x-real-ip': '198.18.0.5' },
    {},
    [null, 'x-real-ip', 'special_purpose_address'],
  ],
  [
    'rejects a special-purpose address if one hop is configured',
    { [XFF]: '198.18.0.5' },
    { hops: 1 },
    [null, XFF, 'special_purpose_address'],
  ],
  [
    'rejects a special-purpose address in a configured header',
    { 'x-real-ip': '240.0.0.1' },
    { header: 'x-real-ip' },
    [null, 'x-real-ip', 'special_purpose_address'],
  ],
  [
    "skips a special-purpose address in the project's ranges",
    { [XFF]: `${CLIENT}, 198.18.0.5` },
    { ranges: ['198.18.0.0/15'] },
    [CLIENT, XFF, 'forwarded_list'],
  ],
  [
    'ignores a special-purpose address to the left of the client',
    { [XFF]: `${FORGED}, 198.18.0.5, ${CLIENT}` },
    {},
    [CLIENT, XFF, 'forwarded_list'],
  ],
  // NAT64 (RFC 6052)
  ['translates a NAT64 address', { [XFF]: '64:ff9b::808:808' }, {}, ['8.8.8.8', XFF, 'forwarded_list']],
  ['translates a dotted NAT64 address', { [XFF]: '[64:ff9b::8.8.8.8]:443' }, {}, ['8.8.8.8', XFF, 'forwarded_list']],
  ['ignores a forged NAT64 address', { [XFF]: `64:ff9b::${FORGED}, ${CLIENT}` }, {}, [CLIENT, XFF, 'forwarded_list']],
  // Single-address headers
  [
    'accepts one single-address header',
    { 'CF-Connecting-IP': CLIENT },
    {},
    [CLIENT, 'cf-connecting-ip', 'single_header'],
  ],
  [
    'accepts two single-address headers that agree',
    { 'x-real-ip': CLIENT, 'true-client-ip': CLIENT },
    {},
    [CLIENT, 'x-real-ip', 'single_header'],
  ],
  [
    'returns null if single-address headers disagree',
    { 'x-real-ip': CLIENT, 'true-client-ip': FORGED },
    {},
    [null, null, 'headers_disagree'],
  ],
  [
    'returns null if a single-address header contains two addresses',
    { 'x-real-ip': `${FORGED}, ${CLIENT}` },
    {},
    [null, null, 'headers_disagree'],
  ],
  [
    'rejects a socket path next to a forged header',
    { 'x-real-ip': 'unix:', 'cf-connecting-ip': FORGED },
    {},
    [null, 'x-real-ip', 'malformed'],
  ],
  [
    'returns null if an internal peer and a forged header disagree',
    { 'x-real-ip': '10.0.0.1', 'cf-connecting-ip': FORGED },
    {},
    [null, null, 'headers_disagree'],
  ],
  [
    'returns null if the only address is internal',
    { 'x-real-ip': '10.0.0.1' },
    {},
    [null, 'x-real-ip', 'only_trusted_proxies'],
  ],
  [
    "removes the port from CloudFront's header",
    { 'cloudfront-viewer-address': `${CLIENT}:46532` },
    {},
    [CLIENT, 'cloudfront-viewer-address', 'single_header'],
  ],
  [
    "removes the port from an IPv6 address in CloudFront's header",
    { 'cloudfront-viewer-address': '2001:db8::7:46532' },
    {},
    ['2001:db8::7', 'cloudfront-viewer-address', 'single_header'],
  ],
  // Lists and single-address headers
  [
    'accepts a list and a single-address header that agree',
    { [XFF]: CLIENT, 'x-real-ip': CLIENT },
    {},
    [CLIENT, XFF, 'forwarded_list'],
  ],
  [
    'returns null if a single-address header contradicts the list',
    { [XFF]: CLIENT, 'true-client-ip': FORGED },
    {},
    [null, null, 'headers_disagree'],
  ],
  [
    'returns null if X-Real-IP contradicts a forged list',
    { [XFF]: FORGED, 'x-real-ip': CLIENT },
    {},
    [null, null, 'headers_disagree'],
  ],
  [
    'returns null if an internal peer is missing from the list',
    { [XFF]: FORGED, 'x-real-ip': '172.17.0.1' },
    {},
    [null, null, 'headers_disagree'],
  ],
  [
    'accepts an internal peer that is in the list',
    { [XFF]: `${CLIENT}, 10.0.0.1`, 'x-real-ip': '10.0.0.1' },
    {},
    [CLIENT, XFF, 'forwarded_list'],
  ],
  [
    'accepts a CDN edge as the peer',
    { [XFF]: CLIENT, 'cf-connecting-ip': CLIENT, 'x-real-ip': EDGE },
    {},
    [CLIENT, XFF, 'forwarded_list'],
  ],
  [
    'returns null if a CDN customer sends the request from the CDN',
    { [XFF]: `${FORGED}, 2a06:98c0:3600::103`, 'cf-connecting-ip': '2a06:98c0:3600::103' },
    {},
    [null, null, 'headers_disagree'],
  ],
  [
    'ignores a malformed single-address header next to a list',
    { [XFF]: CLIENT, 'x-real-ip': 'unknown' },
    {},
    [CLIENT, XFF, 'forwarded_list'],
  ],
  ['rejects a malformed list', { [XFF]: 'unknown', 'x-real-ip': FORGED }, {}, [null, XFF, 'malformed']],
  // Project settings
  [
    'ignores all headers in mode none',
    { [XFF]: FORGED, 'x-real-ip': FORGED, forwarded: `for=${FORGED}` },
    { mode: 'none', hops: 1 },
    [null, null, 'no_header_believed'],
  ],
  ['counts one hop', { [XFF]: `${FORGED}, ${CLIENT}` }, { hops: 1 }, [CLIENT, XFF, 'configured_hops']],
  [
    "returns a CDN customer's address if one hop is configured",
    { [XFF]: `${FORGED}, ${EDGE}` },
    { hops: 1 },
    [EDGE, XFF, 'configured_hops'],
  ],
  ['counts two hops', { [XFF]: `${FORGED}, ${CLIENT}, 203.0.113.1` }, { hops: 2 }, [CLIENT, XFF, 'configured_hops']],
  [
    'returns null if the list has fewer entries than hops',
    { [XFF]: FORGED },
    { hops: 2 },
    [null, XFF, 'too_few_entries'],
  ],
  [
    'rejects a malformed entry among the configured hops',
    { [XFF]: `${FORGED}, x, 203.0.113.1` },
    { hops: 2 },
    [null, XFF, 'malformed'],
  ],
  [
    'ignores single-address headers if hops are configured',
    { [XFF]: CLIENT, 'true-client-ip': FORGED },
    { hops: 1 },
    [CLIENT, XFF, 'configured_hops'],
  ],
  [
    'returns null if hops are configured but the list is missing',
    { 'true-client-ip': FORGED },
    { hops: 1 },
    [null, null, 'no_address_header'],
  ],
  [
    'returns null if hops are configured but the lists disagree',
    { [XFF]: CLIENT, forwarded: `for=${FORGED}` },
    { hops: 1 },
    [null, null, 'headers_disagree'],
  ],
  [
    "skips proxies in the project's ranges",
    { [XFF]: `${FORGED}, ${CLIENT}, 203.0.113.1` },
    { ranges: ['203.0.113.0/24'] },
    [CLIENT, XFF, 'forwarded_list'],
  ],
  [
    'ignores an invalid range',
    { [XFF]: `${CLIENT}, 203.0.113.1` },
    { ranges: ['x', '203.0.113.0/24'] },
    [CLIENT, XFF, 'forwarded_list'],
  ],
  [
    'uses only the configured header',
    { 'Fly-Client-IP': CLIENT, [XFF]: FORGED, 'x-real-ip': FORGED },
    { header: 'Fly-Client-IP' },
    [CLIENT, 'fly-client-ip', 'configured_header'],
  ],
  [
    'returns null if the configured header is missing',
    { [XFF]: FORGED },
    { header: 'x-real-ip' },
    [null, null, 'no_address_header'],
  ],
  [
    'rejects a malformed value in the configured header',
    { 'x-real-ip': 'unix:', [XFF]: FORGED },
    { header: 'x-real-ip' },
    [null, 'x-real-ip', 'malformed'],
  ],
  [
    'uses the last address in the configured header',
    { 'x-real-ip': `${FORGED}, ${CLIENT}` },
    { header: 'x-real-ip' },
    [CLIENT, 'x-real-ip', 'configured_header'],
  ],
  [
    'accepts an internal visitor in the configured header',
    { 'x-real-ip': '10.1.2.3' },
    { header: 'x-real-ip' },
    ['10.1.2.3', 'x-real-ip', 'configured_header'],
  ],
  [
    'accepts X-Forwarded-For as the configured header',
    { [XFF]: `${FORGED}, ${CLIENT}, ${EDGE}`, forwarded: `for=${FORGED}` },
    { header: 'X-Forwarded-For' },
    [CLIENT, XFF, 'configured_header'],
  ],
  [
    'accepts Forwarded as the configured header',
    { [XFF]: FORGED, forwarded: `for=${FORGED}, for=${CLIENT}` },
    { header: 'forwarded', hops: 1 },
    [CLIENT, 'forwarded', 'configured_hops'],
  ],
];

describe('resolveClientAddress', () => {
  it.each(cases)('%s', (_, headers, proxies, expected) => {
    expect(findAddress(headers, proxies)).toEqual(expected);
  });

  it.each<[string, Record<string, string>, ProjectProxies, string | null, boolean]>([
    ['marks a header without a known peer', { [XFF]: CLIENT }, {}, null, true],
    ['marks a header behind a known proxy', { [XFF]: CLIENT }, {}, EDGE, true],
    ['marks a single-address header', { 'cf-connecting-ip': CLIENT }, { ranges: ['203.0.113.0/24'] }, null, true],
    ['does not mark the connection peer', { [XFF]: FORGED }, {}, CLIENT, false],
    ['does not mark a header from a configured network', { [XFF]: CLIENT }, { networks: ['Cloudflare'] }, EDGE, false],
    ["does not mark a header from the project's own proxy", { [XFF]: CLIENT }, { networks: [] }, null, false],
    ['does not mark a configured header', { 'x-real-ip': CLIENT }, { header: 'x-real-ip' }, null, false],
    ['does not mark a header if the number of hops is configured', { [XFF]: CLIENT }, { hops: 1 }, null, false],
  ])('%s as unconfirmed', (_, headers, proxies, peer, expectsNote) => {
    const { address, note } = resolveClientAddress(normalizeHeaders(headers), proxies, networks, peer);
    expect([address, note]).toEqual([CLIENT, expectsNote ? 'unconfirmed_header' : undefined]);
  });

  it('never returns a forged address after a proxy has appended the real one', () => {
    const pieces = [
      FORGED,
      '10.0.0.1',
      EDGE,
      'unknown',
      '"',
      `for=${FORGED}`,
      '[',
      ',',
      ';',
      `${FORGED}:1`,
      '',
      'for="',
    ];
    const settings: ProjectProxies[] = [
      {},
      { hops: 1 },
      { ranges: ['203.0.113.0/24'] },
      { header: XFF },
      { networks: [] },
      { networks: ['Cloudflare'] },
    ];
    for (const firstEntry of pieces) {
      for (const secondEntry of pieces) {
        for (const proxies of settings) {
          expect(findAddress({ [XFF]: `${firstEntry}, ${secondEntry}, ${CLIENT}` }, proxies)[0]).toBe(CLIENT);
          expect(findAddress({ forwarded: `${firstEntry}, ${secondEntry}, for="${CLIENT}"` }, proxies)[0]).not.toBe(
            FORGED,
          );
          expect(
            findAddress({ forwarded: `for=${FORGED};x="${firstEntry}, ${secondEntry};for=${CLIENT}` }, proxies)[0],
          ).not.toBe(FORGED);
        }
      }
    }
  });
});

describe('resolveClientAddress with a known peer', () => {
  const PEER = '192.0.2.44';
  const PEER_RESULT: Expected = [PEER, null, 'connection_peer'];

  it.each<[string, string, Record<string, unknown>, ProjectProxies, Expected]>([
    ['returns the peer of a direct connection', PEER, {}, {}, PEER_RESULT],
    ['returns an IPv6 peer in canonical form', '2001:DB8::7', {}, {}, ['2001:db8::7', null, 'connection_peer']],
    ['returns an IPv4-mapped peer as IPv4', `::ffff:${PEER}`, {}, {}, PEER_RESULT],
    [
      'ignores forged headers from an untrusted peer',
      PEER,
      { [XFF]: FORGED, 'x-real-ip': FORGED, forwarded: `for=${FORGED}` },
      {},
      PEER_RESULT,
    ],
    [
      'ignores the configured header from an untrusted peer',
      PEER,
      { 'x-real-ip': FORGED },
      { header: 'x-real-ip' },
      PEER_RESULT,
    ],
    ['returns the peer in mode none', PEER, { [XFF]: FORGED }, { mode: 'none' }, PEER_RESULT],
    [
      'returns null for an internal peer in mode none',
      '172.17.0.1',
      { [XFF]: FORGED },
      { mode: 'none' },
      [null, null, 'no_header_believed'],
    ],
    [
      'uses the list behind an internal proxy',
      '10.0.0.1',
      { [XFF]: `${FORGED}, ${CLIENT}` },
      {},
      [CLIENT, XFF, 'forwarded_list'],
    ],
    ['uses the list behind a CDN edge', EDGE, { [XFF]: `${FORGED}, ${CLIENT}` }, {}, [CLIENT, XFF, 'forwarded_list']],
    [
      "uses the list behind a proxy in the project's ranges",
      '203.0.113.1',
      { [XFF]: CLIENT },
      { ranges: ['203.0.113.0/24'] },
      [CLIENT, XFF, 'forwarded_list'],
    ],
    [
      'counts the peer as a hop',
      '203.0.113.1',
      { [XFF]: `${FORGED}, ${CLIENT}` },
      { hops: 1 },
      [CLIENT, XFF, 'configured_hops'],
    ],
    ['returns null if a proxy sends no address header', '10.0.0.1', {}, {}, [null, null, 'no_address_header']],
    [
      "returns null if a proxy's headers disagree",
      '10.0.0.1',
      { [XFF]: CLIENT, 'x-real-ip': FORGED },
      {},
      [null, null, 'headers_disagree'],
    ],
    ['rejects a special-purpose peer', '198.18.0.5', { [XFF]: FORGED }, {}, [null, null, 'special_purpose_address']],
    [
      "uses the list behind a special-purpose peer in the project's ranges",
      '198.18.0.5',
      { [XFF]: CLIENT },
      { ranges: ['198.18.0.0/15'] },
      [CLIENT, XFF, 'forwarded_list'],
    ],
    [
      'rejects a special-purpose peer in mode none',
      '64:ff9b:1::1',
      {},
      { mode: 'none' },
      [null, null, 'special_purpose_address'],
    ],
    ['translates a NAT64 peer', '64:ff9b::8.8.8.8', {}, {}, ['8.8.8.8', null, 'connection_peer']],
    [
      'uses the list behind a NAT64 CDN edge',
      `64:ff9b::${EDGE}`,
      { [XFF]: CLIENT },
      {},
      [CLIENT, XFF, 'forwarded_list'],
    ],
    ['rejects a malformed peer', 'unix:', { [XFF]: CLIENT }, {}, [null, null, 'malformed']],
  ])('%s', (_, peer, headers, proxies, expected) => {
    expect(findAddress(headers, proxies, peer)).toEqual(expected);
  });

  it.each(cases)('%s if the peer is unknown', (_, headers, proxies, expected) => {
    expect(findAddress(headers, proxies, null)).toEqual(expected);
  });

  it('ignores all headers if the peer is not a proxy', () => {
    const values = constantFrom(
      FORGED,
      EDGE,
      '10.0.0.1',
      '127.0.0.1',
      PEER,
      'unknown',
      '"',
      ',',
      `for=${FORGED}`,
      `for="[2001:db8::1]"`,
      '',
      '\0',
    );
    const names = constantFrom(
      ...LIST_HEADERS,
      ...SINGLE_HEADERS,
      'X-FORWARDED-FOR',
      'X-Original-Forwarded-For',
      'via',
    );
    const headers = dictionary(
      names,
      oneof(
        string(),
        values,
        array(values).map((forgedHeaders) => forgedHeaders.join(', ')),
        array(values),
      ),
    );
    const settings = constantFrom<ProjectProxies>(
      {},
      { mode: 'none' },
      { mode: 'default' },
      { header: XFF },
      { header: 'cf-connecting-ip' },
      { ranges: ['203.0.113.0/24'] },
      { ranges: ['203.0.113.0/24'], header: 'forwarded' },
      { networks: [] },
      { networks: ['Cloudflare'] },
    );
    const peers = constantFrom(PEER, '198.51.100.77', '2001:db8::44', `::ffff:${PEER}`);
    assert(
      property(headers, settings, peers, (forgedHeaders, proxies, peer) => {
        expect(findAddress(forgedHeaders, proxies, peer)).toEqual(findAddress({}, {}, peer));
        expect(findAddress(forgedHeaders, proxies, peer)[2]).toBe('connection_peer');
      }),
      { numRuns: 5_000 },
    );
  });
});
