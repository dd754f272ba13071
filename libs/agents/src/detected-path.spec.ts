import { detectedPath } from './detected-path.js';
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
const path = (count: number, sample: Sample) =>
  detectedPath(
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
  [
    'an edge as the peer',
    (index) => ({ peer: EDGE, headers: { [XFF]: visitor(index) } }),
    { networks: ['Cloudflare'] },
  ],
  [
    'an edge behind an own proxy',
    (index) => ({ peer: '10.0.0.2', headers: { [XFF]: `${visitor(index)}, ${EDGE}` } }),
    { networks: ['Cloudflare'] },
  ],
  [
    'only the header of a network',
    (index) => ({ headers: { [XFF]: visitor(index), 'CF-Connecting-IP': visitor(index) } }),
    { networks: ['Cloudflare'] },
  ],
  [
    'a load balancer',
    (index) => ({ peer: '35.191.1.1', headers: { [XFF]: `${visitor(index)},34.120.10.20`, via: '1.1 google' } }),
    { networks: ['Google Cloud Load Balancing'] },
  ],
  [
    'a load balancer by its mark',
    (index) => ({ headers: { [XFF]: `${visitor(index)},34.120.10.20`, via: '1.1 google' } }),
    { networks: ['Google Cloud Load Balancing'] },
  ],
  [
    'a platform',
    (index) => ({ peer: '172.16.1.1', headers: { 'fly-client-ip': visitor(index) } }),
    { networks: ['Fly.io'] },
  ],
  [
    'two networks',
    (index) => ({ peer: '35.191.1.1', headers: { [XFF]: `${visitor(index)},${EDGE},35.191.1.2` } }),
    { networks: ['Cloudflare', 'Google Cloud Load Balancing'] },
  ],
  ['an own proxy', (index) => ({ headers: { [XFF]: visitor(index) } }), { networks: [] }],
  [
    'an own proxy, by its peer',
    (index) => ({ peer: '10.0.0.2', headers: { 'x-real-ip': visitor(index) } }),
    { networks: [] },
  ],
  [
    'an own proxy with a public address',
    (index) => ({ peer: '203.0.113.7', headers: { [XFF]: visitor(index) } }),
    { networks: [], ranges: ['203.0.113.7'] },
  ],
  [
    'an unknown network with many addresses',
    (index) => ({ peer: visitor(index), headers: { [XFF]: '192.0.2.1' } }),
    null,
  ],
  [
    'a network of unknown addresses',
    (index) => ({ peer: visitor(index), headers: { 'eo-connecting-ip': '192.0.2.1' } }),
    null,
  ],
  ['nothing', () => ({}), null],
  ['no agreement', (index) => (index % 2 === 0 ? { peer: visitor(index) } : { peer: EDGE }), null],
])('detects %s', (_, sample, expected) => {
  expect(path(10, sample)?.proxies ?? null).toEqual(expected);
});

it('requires at least five requests, of which four in five must agree', () => {
  const direct: Sample = (index) => ({ peer: visitor(index) });
  expect(path(4, direct)).toBeNull();
  expect(path(5, direct)).toEqual({ proxies: { mode: 'none' }, requests: 5 });
  const mixed =
    (others: number): Sample =>
    (index) =>
      index < others ? { headers: { [XFF]: EDGE } } : direct(index);
  expect(path(10, mixed(2))).toEqual({ proxies: { mode: 'none' }, requests: 8 });
  expect(path(10, mixed(3))).toBeNull();
});
