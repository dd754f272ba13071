import { detectPath } from './path-detection.js';
import { normalizeHeaders } from './headers.js';
import { compileProxyNetworks } from './proxy-networks.js';

const networks = compileProxyNetworks([
  { operator: 'Cloudflare', ranges: ['172.64.0.0/13'], client_address_header: 'cf-connecting-ip' },
  {
    operator: 'Google Cloud Load Balancing',
    ranges: ['35.191.0.0/16'],
    client_address_header: null,
    marks: ['via: 1.1 google'],
    appends_own_address: true,
    has_other_ranges: true,
  },
  { operator: 'Fly.io', ranges: [], client_address_header: 'fly-client-ip', has_internal_peers: true },
  { operator: 'EdgeOne', ranges: [], client_address_header: 'eo-connecting-ip' },
]);
const EDGE = '172.71.147.183';
const XFF = 'x-forwarded-for';
const visitor = (index: number): string => `198.51.100.${index + 1}`;

type Sample = (index: number) => { headers?: Record<string, string>; peer?: string };
const detect = (count: number, sample: Sample) =>
  detectPath(
    Array.from({ length: count }, (_, index) => {
      const { headers = {}, peer = null } = sample(index);
      return { headers: normalizeHeaders(headers), peer };
    }),
    networks,
  );

it.each<[string, Sample, object | null]>([
  ['direct visitors', (index) => ({ peer: visitor(index) }), { mode: 'none' }],
  [
    'direct visitors, some of whom forge headers',
    (index) => ({ peer: visitor(index), ...(index % 2 === 0 && { headers: { [XFF]: EDGE } }) }),
    { mode: 'none' },
  ],
  ['a CDN', (index) => ({ peer: EDGE, headers: { [XFF]: visitor(index) } }), { networks: ['Cloudflare'] }],
  [
    "a CDN in front of the site's own proxy",
    (index) => ({ peer: '10.0.0.2', headers: { [XFF]: `${visitor(index)}, ${EDGE}` } }),
    { networks: ['Cloudflare'] },
  ],
  [
    'a CDN recognized by its header',
    (index) => ({ headers: { [XFF]: visitor(index), 'CF-Connecting-IP': visitor(index) } }),
    { networks: ['Cloudflare'] },
  ],
  [
    'a load balancer recognized by its address',
    (index) => ({ peer: '35.191.1.1', headers: { [XFF]: `${visitor(index)},34.120.10.20`, via: '1.1 google' } }),
    { networks: ['Google Cloud Load Balancing'] },
  ],
  [
    'a load balancer recognized by its Via header',
    (index) => ({ headers: { [XFF]: `${visitor(index)},34.120.10.20`, via: '1.1 google' } }),
    { networks: ['Google Cloud Load Balancing'] },
  ],
  [
    'a hosting platform recognized by its header',
    (index) => ({ peer: '172.16.1.1', headers: { 'fly-client-ip': visitor(index) } }),
    { networks: ['Fly.io'] },
  ],
  [
    'two networks in sequence',
    (index) => ({ peer: '35.191.1.1', headers: { [XFF]: `${visitor(index)},${EDGE},35.191.1.2` } }),
    { networks: ['Cloudflare', 'Google Cloud Load Balancing'] },
  ],
  ["the site's own proxy", (index) => ({ headers: { [XFF]: visitor(index) } }), { networks: [] }],
  [
    "the site's own proxy with an internal address",
    (index) => ({ peer: '10.0.0.2', headers: { 'x-real-ip': visitor(index) } }),
    { networks: [] },
  ],
  [
    "the site's own proxy with a public address",
    (index) => ({ peer: '203.0.113.7', headers: { [XFF]: visitor(index) } }),
    { networks: [], ranges: ['203.0.113.7'] },
  ],
  [
    'an unknown network with many addresses',
    (index) => ({ peer: visitor(index), headers: { [XFF]: '192.0.2.1' } }),
    null,
  ],
  [
    'a network with unpublished addresses',
    (index) => ({ peer: visitor(index), headers: { 'eo-connecting-ip': '192.0.2.1' } }),
    null,
  ],
  ['requests without addresses', () => ({}), null],
  ['requests through different paths', (index) => (index % 2 === 0 ? { peer: visitor(index) } : { peer: EDGE }), null],
])('returns the proxy settings for %s, or null if they are unclear', (_, sample, expected) => {
  expect(detect(10, sample)?.proxies ?? null).toEqual(expected);
});

it('requires at least five requests, and agreement among 80% of them', () => {
  const directVisitor: Sample = (index) => ({ peer: visitor(index) });
  expect(detect(4, directVisitor)).toBeNull();
  expect(detect(5, directVisitor)).toEqual({ proxies: { mode: 'none' }, requests: 5 });
  const mixedWith =
    (otherCount: number): Sample =>
    (index) =>
      index < otherCount ? { headers: { [XFF]: EDGE } } : directVisitor(index);
  expect(detect(10, mixedWith(2))).toEqual({ proxies: { mode: 'none' }, requests: 8 });
  expect(detect(10, mixedWith(3))).toBeNull();
});
