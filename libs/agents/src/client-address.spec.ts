import { array, assert, constantFrom, dictionary, oneof, property, string } from 'fast-check';
import { clientAddress } from './client-address.js';
import { LIST_HEADERS, SINGLE_HEADERS } from './forwarding-headers.js';
import { normalizeHeaders } from './headers.js';
import type { ProjectProxies } from './project-proxies.js';
import { compileProxyNetworks } from './proxy-networks.js';

// A sample of Cloudflare's published ranges. EDGE is inside them.
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

function find(headers: Record<string, unknown>, proxies: ProjectProxies = {}, peer: string | null = null): Expected {
  const { address, source, reason } = clientAddress(normalizeHeaders(headers), proxies, networks, peer);
  return [address, source, reason];
}

const XFF = 'x-forwarded-for';
const cases: [string, Record<string, unknown>, ProjectProxies, Expected][] = [
  // Forwarding lists, with default settings
  ['nothing', {}, {}, [null, null, 'no_address_header']],
  ['one entry', { [XFF]: CLIENT }, {}, [CLIENT, XFF, 'forwarded_list']],
  ['a forged left entry', { [XFF]: `${FORGED}, ${CLIENT}` }, {}, [CLIENT, XFF, 'forwarded_list']],
  ['a forged header of its own', { 'X-Forwarded-For': FORGED, [XFF]: CLIENT }, {}, [CLIENT, XFF, 'forwarded_list']],
  ['a CDN edge', { [XFF]: `${FORGED},${CLIENT},${EDGE}` }, {}, [CLIENT, XFF, 'forwarded_list']],
  [
    'internal hops',
    { [XFF]: `${FORGED}, ${CLIENT}, 10.0.0.1, 100.64.3.4, fd00::1` },
    {},
    [CLIENT, XFF, 'forwarded_list'],
  ],
  ['only proxies', { [XFF]: `10.0.0.1, ${EDGE}` }, {}, [null, XFF, 'only_trusted_proxies']],
  ['garbage right of a forged entry', { [XFF]: `${FORGED}, unknown` }, {}, [null, XFF, 'malformed']],
  ['garbage left of the client', { [XFF]: `<script>, ${CLIENT}` }, {}, [CLIENT, XFF, 'forwarded_list']],
  ['garbage between proxies', { [XFF]: `${FORGED}, x, 10.0.0.1` }, {}, [null, XFF, 'malformed']],
  ['empty elements', { [XFF]: `, ${CLIENT} ,,` }, {}, [CLIENT, XFF, 'forwarded_list']],
  ['nothing but commas', { [XFF]: ', ,' }, {}, [null, null, 'no_address_header']],
  ['a port', { [XFF]: `${CLIENT}:5060` }, {}, [CLIENT, XFF, 'forwarded_list']],
  ['IPv6 with brackets', { [XFF]: '[2001:DB8::1]:443' }, {}, ['2001:db8::1', XFF, 'forwarded_list']],
  ['a mapped edge', { [XFF]: `${CLIENT}, ::ffff:${EDGE}` }, {}, [CLIENT, XFF, 'forwarded_list']],
  [
    'more hops than are read',
    { [XFF]: `${FORGED}${', 10.0.0.1'.repeat(20)}` },
    {},
    [null, XFF, 'only_trusted_proxies'],
  ],
  ['more text than is read', { [XFF]: `${FORGED}${' ,'.repeat(2_048)}, 10.0.0.1` }, {}, [null, XFF, 'malformed']],
  ['an entry cut by the limit', { [XFF]: `1${FORGED}${' '.repeat(4_075)}, 10.0.0.1` }, {}, [null, XFF, 'malformed']],
  // Forwarded (RFC 7239)
  [
    'Forwarded',
    { forwarded: `for=${FORGED}, for="[2001:db8::7]:47011";proto=https` },
    {},
    ['2001:db8::7', 'forwarded', 'forwarded_list'],
  ],
  ['Forwarded, hidden', { forwarded: `for=${FORGED}, for=_hidden` }, {}, [null, 'forwarded', 'malformed']],
  ['Forwarded without for', { forwarded: `for=${FORGED}, by=10.0.0.1` }, {}, [null, 'forwarded', 'malformed']],
  [
    'Forwarded with a quote left open',
    { forwarded: `for=${FORGED};x=", for=${CLIENT}` },
    {},
    [null, 'forwarded', 'malformed'],
  ],
  [
    'Forwarded, swallowed by a quote',
    { forwarded: `for=${FORGED};x=", for="[2001:db8::7]"` },
    {},
    [null, 'forwarded', 'malformed'],
  ],
  [
    'Forwarded, oversized',
    { forwarded: `for=${FORGED};x="${'y'.repeat(5_000)}", for=${CLIENT}` },
    {},
    [null, 'forwarded', 'malformed'],
  ],
  ['both lists alike', { forwarded: `for=${CLIENT}`, [XFF]: CLIENT }, {}, [CLIENT, XFF, 'forwarded_list']],
  ['a forged Forwarded', { forwarded: `for=${FORGED}`, [XFF]: CLIENT }, {}, [null, null, 'headers_disagree']],
  ['Forwarded with a comma at the end', { forwarded: `for=${CLIENT},` }, {}, [CLIENT, 'forwarded', 'forwarded_list']],
  [
    'Forwarded with empty elements',
    { forwarded: `, for=${FORGED} ,,for=${CLIENT};proto=https , ,` },
    {},
    [CLIENT, 'forwarded', 'forwarded_list'],
  ],
  [
    'Forwarded with empty parameters',
    { forwarded: `;for=${FORGED};, ;; For=${CLIENT};;proto=https;` },
    {},
    [CLIENT, 'forwarded', 'forwarded_list'],
  ],
  [
    'Forwarded with a port and IPv6 without quotes',
    { forwarded: `for=${CLIENT}:47011, for=[fd00::7]:443, for=10.0.0.1` },
    {},
    [CLIENT, 'forwarded', 'forwarded_list'],
  ],
  [
    'Forwarded with escapes',
    { forwarded: `for="${FORGED.replaceAll('.', String.raw`\.`)}", for="[2001:db8::\\7]"` },
    {},
    ['2001:db8::7', 'forwarded', 'forwarded_list'],
  ],
  ['Forwarded with two addresses', { forwarded: `for=${FORGED};for=${CLIENT}` }, {}, [null, 'forwarded', 'malformed']],
  ['Forwarded, hidden and named', { forwarded: `for=_x;for=${FORGED}` }, {}, [null, 'forwarded', 'malformed']],
  ['Forwarded with nothing in it', { forwarded: ' ,;, ' }, {}, [null, null, 'no_address_header']],
  [
    'Forwarded with a space in a parameter',
    { forwarded: `for=${FORGED} for=${CLIENT}` },
    {},
    [null, 'forwarded', 'malformed'],
  ],
  // Addresses that no visitor can have
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
    `a special-purpose address, ${special}`,
    { [XFF]: `${FORGED}, ${special}` },
    {},
    [null, XFF, 'special_purpose_address'],
  ]),
  [
    'a special-purpose address in Forwarded',
    { forwarded: `for=${FORGED}, for="[ff02::1]"` },
    {},
    [null, 'forwarded', 'special_purpose_address'],
  ],
  [
    'a special-purpose address in a single header',
    { 'x-real-ip': '198.18.0.5' },
    {},
    [null, 'x-real-ip', 'special_purpose_address'],
  ],
  [
    'a special-purpose address at one hop',
    { [XFF]: '198.18.0.5' },
    { hops: 1 },
    [null, XFF, 'special_purpose_address'],
  ],
  [
    'a special-purpose address as the header',
    { 'x-real-ip': '240.0.0.1' },
    { header: 'x-real-ip' },
    [null, 'x-real-ip', 'special_purpose_address'],
  ],
  [
    'a special-purpose address in own ranges',
    { [XFF]: `${CLIENT}, 198.18.0.5` },
    { ranges: ['198.18.0.0/15'] },
    [CLIENT, XFF, 'forwarded_list'],
  ],
  [
    'a special-purpose address left of the client',
    { [XFF]: `${FORGED}, 198.18.0.5, ${CLIENT}` },
    {},
    [CLIENT, XFF, 'forwarded_list'],
  ],
  // NAT64 (RFC 6052)
  ['an address translated to IPv6', { [XFF]: '64:ff9b::808:808' }, {}, ['8.8.8.8', XFF, 'forwarded_list']],
  [
    'an address translated to IPv6, dotted',
    { [XFF]: '[64:ff9b::8.8.8.8]:443' },
    {},
    ['8.8.8.8', XFF, 'forwarded_list'],
  ],
  ['a forged one', { [XFF]: `64:ff9b::${FORGED}, ${CLIENT}` }, {}, [CLIENT, XFF, 'forwarded_list']],
  // Single-address headers
  ['one single', { 'CF-Connecting-IP': CLIENT }, {}, [CLIENT, 'cf-connecting-ip', 'single_header']],
  ['two alike', { 'x-real-ip': CLIENT, 'true-client-ip': CLIENT }, {}, [CLIENT, 'x-real-ip', 'single_header']],
  ['a forged second', { 'x-real-ip': CLIENT, 'true-client-ip': FORGED }, {}, [null, null, 'headers_disagree']],
  ['a doubled one', { 'x-real-ip': `${FORGED}, ${CLIENT}` }, {}, [null, null, 'headers_disagree']],
  [
    'a socket path beside a forged one',
    { 'x-real-ip': 'unix:', 'cf-connecting-ip': FORGED },
    {},
    [null, 'x-real-ip', 'malformed'],
  ],
  [
    'an internal peer beside a forged one',
    { 'x-real-ip': '10.0.0.1', 'cf-connecting-ip': FORGED },
    {},
    [null, null, 'headers_disagree'],
  ],
  ['an internal one alone', { 'x-real-ip': '10.0.0.1' }, {}, [null, 'x-real-ip', 'only_trusted_proxies']],
  [
    'CloudFront',
    { 'cloudfront-viewer-address': `${CLIENT}:46532` },
    {},
    [CLIENT, 'cloudfront-viewer-address', 'single_header'],
  ],
  [
    'CloudFront, IPv6',
    { 'cloudfront-viewer-address': '2001:db8::7:46532' },
    {},
    ['2001:db8::7', 'cloudfront-viewer-address', 'single_header'],
  ],
  // Lists and single-address headers
  ['list and single alike', { [XFF]: CLIENT, 'x-real-ip': CLIENT }, {}, [CLIENT, XFF, 'forwarded_list']],
  ['a forged single', { [XFF]: CLIENT, 'true-client-ip': FORGED }, {}, [null, null, 'headers_disagree']],
  ['an untouched, forged list', { [XFF]: FORGED, 'x-real-ip': CLIENT }, {}, [null, null, 'headers_disagree']],
  [
    'an untouched list, internal peer',
    { [XFF]: FORGED, 'x-real-ip': '172.17.0.1' },
    {},
    [null, null, 'headers_disagree'],
  ],
  [
    'a peer in the list',
    { [XFF]: `${CLIENT}, 10.0.0.1`, 'x-real-ip': '10.0.0.1' },
    {},
    [CLIENT, XFF, 'forwarded_list'],
  ],
  [
    'an edge as the peer',
    { [XFF]: CLIENT, 'cf-connecting-ip': CLIENT, 'x-real-ip': EDGE },
    {},
    [CLIENT, XFF, 'forwarded_list'],
  ],
  [
    'a tenant of the CDN',
    { [XFF]: `${FORGED}, 2a06:98c0:3600::103`, 'cf-connecting-ip': '2a06:98c0:3600::103' },
    {},
    [null, null, 'headers_disagree'],
  ],
  ['an unreadable single', { [XFF]: CLIENT, 'x-real-ip': 'unknown' }, {}, [CLIENT, XFF, 'forwarded_list']],
  ['an unreadable list', { [XFF]: 'unknown', 'x-real-ip': FORGED }, {}, [null, XFF, 'malformed']],
  // Project settings
  [
    'none',
    { [XFF]: FORGED, 'x-real-ip': FORGED, forwarded: `for=${FORGED}` },
    { mode: 'none', hops: 1 },
    [null, null, 'no_header_believed'],
  ],
  ['one hop', { [XFF]: `${FORGED}, ${CLIENT}` }, { hops: 1 }, [CLIENT, XFF, 'configured_hops']],
  ['one hop, a tenant of the CDN', { [XFF]: `${FORGED}, ${EDGE}` }, { hops: 1 }, [EDGE, XFF, 'configured_hops']],
  ['two hops', { [XFF]: `${FORGED}, ${CLIENT}, 203.0.113.1` }, { hops: 2 }, [CLIENT, XFF, 'configured_hops']],
  ['two hops, only one passed', { [XFF]: FORGED }, { hops: 2 }, [null, XFF, 'too_few_entries']],
  ['two hops, garbage', { [XFF]: `${FORGED}, x, 203.0.113.1` }, { hops: 2 }, [null, XFF, 'malformed']],
  [
    'hops and a forged single',
    { [XFF]: CLIENT, 'true-client-ip': FORGED },
    { hops: 1 },
    [CLIENT, XFF, 'configured_hops'],
  ],
  ['hops and only a forged single', { 'true-client-ip': FORGED }, { hops: 1 }, [null, null, 'no_address_header']],
  [
    'hops and a forged Forwarded',
    { [XFF]: CLIENT, forwarded: `for=${FORGED}` },
    { hops: 1 },
    [null, null, 'headers_disagree'],
  ],
  [
    'own ranges',
    { [XFF]: `${FORGED}, ${CLIENT}, 203.0.113.1` },
    { ranges: ['203.0.113.0/24'] },
    [CLIENT, XFF, 'forwarded_list'],
  ],
  [
    'own ranges, one broken',
    { [XFF]: `${CLIENT}, 203.0.113.1` },
    { ranges: ['x', '203.0.113.0/24'] },
    [CLIENT, XFF, 'forwarded_list'],
  ],
  [
    'a header',
    { 'Fly-Client-IP': CLIENT, [XFF]: FORGED, 'x-real-ip': FORGED },
    { header: 'Fly-Client-IP' },
    [CLIENT, 'fly-client-ip', 'configured_header'],
  ],
  ['a header that is absent', { [XFF]: FORGED }, { header: 'x-real-ip' }, [null, null, 'no_address_header']],
  [
    'a header, unreadable',
    { 'x-real-ip': 'unix:', [XFF]: FORGED },
    { header: 'x-real-ip' },
    [null, 'x-real-ip', 'malformed'],
  ],
  [
    'a header, doubled',
    { 'x-real-ip': `${FORGED}, ${CLIENT}` },
    { header: 'x-real-ip' },
    [CLIENT, 'x-real-ip', 'configured_header'],
  ],
  [
    'a header with an internal visitor',
    { 'x-real-ip': '10.1.2.3' },
    { header: 'x-real-ip' },
    ['10.1.2.3', 'x-real-ip', 'configured_header'],
  ],
  [
    'the list as the header',
    { [XFF]: `${FORGED}, ${CLIENT}, ${EDGE}`, forwarded: `for=${FORGED}` },
    { header: 'X-Forwarded-For' },
    [CLIENT, XFF, 'configured_header'],
  ],
  [
    'Forwarded as the header',
    { [XFF]: FORGED, forwarded: `for=${FORGED}, for=${CLIENT}` },
    { header: 'forwarded', hops: 1 },
    [CLIENT, 'forwarded', 'configured_hops'],
  ],
];

describe('clientAddress', () => {
  it.each(cases)('%s', (_, headers, proxies, expected) => {
    expect(find(headers, proxies)).toEqual(expected);
  });

  it.each<[string, Record<string, string>, ProjectProxies, string | null, boolean]>([
    ['a header', { [XFF]: CLIENT }, {}, null, true],
    ['a header behind a known proxy', { [XFF]: CLIENT }, {}, EDGE, true],
    ['a header of a single address', { 'cf-connecting-ip': CLIENT }, { ranges: ['203.0.113.0/24'] }, null, true],
    ['the peer of the connection', { [XFF]: FORGED }, {}, CLIENT, false],
    ['a header of a network that the project names', { [XFF]: CLIENT }, { networks: ['Cloudflare'] }, EDGE, false],
    ['a header of a proxy of its own', { [XFF]: CLIENT }, { networks: [] }, null, false],
    ['a header that the project names', { 'x-real-ip': CLIENT }, { header: 'x-real-ip' }, null, false],
    ['a number of proxies', { [XFF]: CLIENT }, { hops: 1 }, null, false],
  ])(
    'notes that anyone can send a header, unless the project vouches for it: %s',
    (_, headers, proxies, peer, isNoted) => {
      const { address, note } = clientAddress(normalizeHeaders(headers), proxies, networks, peer);
      expect([address, note]).toEqual([CLIENT, isNoted ? 'unconfirmed_header' : undefined]);
    },
  );

  it('never returns a forged address once a proxy has appended the real one', () => {
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
    for (const one of pieces) {
      for (const two of pieces) {
        for (const proxies of settings) {
          expect(find({ [XFF]: `${one}, ${two}, ${CLIENT}` }, proxies)[0]).toBe(CLIENT);
          expect(find({ forwarded: `${one}, ${two}, for="${CLIENT}"` }, proxies)[0]).not.toBe(FORGED);
          expect(find({ forwarded: `for=${FORGED};x="${one}, ${two};for=${CLIENT}` }, proxies)[0]).not.toBe(FORGED);
        }
      }
    }
  });
});

describe('clientAddress with a known peer', () => {
  const PEER = '192.0.2.44';
  const TO_PEER: Expected = [PEER, null, 'connection_peer'];

  it.each<[string, string, Record<string, unknown>, ProjectProxies, Expected]>([
    ['a site that is reached directly', PEER, {}, {}, TO_PEER],
    ['IPv6', '2001:DB8::7', {}, {}, ['2001:db8::7', null, 'connection_peer']],
    ['IPv4 mapped into IPv6', `::ffff:${PEER}`, {}, {}, TO_PEER],
    ['a forged header', PEER, { [XFF]: FORGED, 'x-real-ip': FORGED, forwarded: `for=${FORGED}` }, {}, TO_PEER],
    [
      'a header that the project believes of its proxies',
      PEER,
      { 'x-real-ip': FORGED },
      { header: 'x-real-ip' },
      TO_PEER,
    ],
    ['no proxies', PEER, { [XFF]: FORGED }, { mode: 'none' }, TO_PEER],
    [
      'no proxies, and a hidden visitor',
      '172.17.0.1',
      { [XFF]: FORGED },
      { mode: 'none' },
      [null, null, 'no_header_believed'],
    ],
    ['a proxy of the site', '10.0.0.1', { [XFF]: `${FORGED}, ${CLIENT}` }, {}, [CLIENT, XFF, 'forwarded_list']],
    ['a CDN edge', EDGE, { [XFF]: `${FORGED}, ${CLIENT}` }, {}, [CLIENT, XFF, 'forwarded_list']],
    [
      'a proxy of the project',
      '203.0.113.1',
      { [XFF]: CLIENT },
      { ranges: ['203.0.113.0/24'] },
      [CLIENT, XFF, 'forwarded_list'],
    ],
    [
      'a counted proxy',
      '203.0.113.1',
      { [XFF]: `${FORGED}, ${CLIENT}` },
      { hops: 1 },
      [CLIENT, XFF, 'configured_hops'],
    ],
    ['a proxy without a header', '10.0.0.1', {}, {}, [null, null, 'no_address_header']],
    [
      'a proxy, and headers that disagree',
      '10.0.0.1',
      { [XFF]: CLIENT, 'x-real-ip': FORGED },
      {},
      [null, null, 'headers_disagree'],
    ],
    ['a special-purpose address', '198.18.0.5', { [XFF]: FORGED }, {}, [null, null, 'special_purpose_address']],
    [
      'a special-purpose address of the project',
      '198.18.0.5',
      { [XFF]: CLIENT },
      { ranges: ['198.18.0.0/15'] },
      [CLIENT, XFF, 'forwarded_list'],
    ],
    [
      'a special-purpose address without proxies',
      '64:ff9b:1::1',
      {},
      { mode: 'none' },
      [null, null, 'special_purpose_address'],
    ],
    ['an address translated to IPv6', '64:ff9b::8.8.8.8', {}, {}, ['8.8.8.8', null, 'connection_peer']],
    ['an edge translated to IPv6', `64:ff9b::${EDGE}`, { [XFF]: CLIENT }, {}, [CLIENT, XFF, 'forwarded_list']],
    ['something unreadable', 'unix:', { [XFF]: CLIENT }, {}, [null, null, 'malformed']],
  ])('%s', (_, peer, headers, proxies, expected) => {
    expect(find(headers, proxies, peer)).toEqual(expected);
  });

  it.each(cases)('falls back to the headers if the peer is unknown: %s', (_, headers, proxies, expected) => {
    expect(find(headers, proxies, null)).toEqual(expected);
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
        array(values).map((all) => all.join(', ')),
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
      property(headers, settings, peers, (all, proxies, peer) => {
        expect(find(all, proxies, peer)).toEqual(find({}, {}, peer));
        expect(find(all, proxies, peer)[2]).toBe('connection_peer');
      }),
      { numRuns: 5_000 },
    );
  });
});
