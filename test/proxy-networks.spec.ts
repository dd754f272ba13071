import { resolveClientAddress, normalizeHeaders, type ProjectProxies } from '#libs/agents';
import { getBundledCatalog, compileCatalog } from '#libs/catalog';
import { FORWARDING_HEADERS } from '#libs/agents';

/** Address in Googlebot's published ranges that visitors may forge. */
const CRAWLER_ADDRESS = '66.249.66.1';
const CRAWLER_IPV6 = '2001:4860:4801:10::1';
const VISITOR_ADDRESS = '198.51.100.9';
const XFF = 'x-forwarded-for';

const { proxies } = getBundledCatalog();
const { proxyNetworks } = compileCatalog(getBundledCatalog());
/** Networks without ranges, as if none were bundled or fetched. */
const networksWithoutRanges = compileCatalog({
  ...getBundledCatalog(),
  proxies: proxies.map((proxy) => ({ ...proxy, ranges: [] })),
}).proxyNetworks;

const resolveAddress = (
  headers: Record<string, unknown>,
  peer: string | null,
  setting: ProjectProxies = {},
  networks = proxyNetworks,
): [string | null, string] => {
  const { address, reason } = resolveClientAddress(normalizeHeaders(headers), setting, networks, peer);
  return [address, reason];
};

/** An edge address for each network with known ranges. */
const EDGES: Record<string, string> = {
  'Amazon CloudFront': '130.176.1.1',
  'Azure Front Door': '147.243.7.7',
  Cloudflare: '172.71.147.183',
  Fastly: '151.101.1.1',
  Imperva: '199.83.128.5',
  Sucuri: '192.88.134.10',
};
const GOOGLE_PEERS = ['35.191.3.4', '130.211.0.9', '2600:2d00:1:1::5'];
/** Public address outside all known ranges. */
const UNKNOWN_EDGE_ADDRESS = '93.184.216.34';

const formatHeaderValue = (header: string, address: string): string =>
  header === 'cloudfront-viewer-address' ? `${address}:46532` : address;

/** Returns the headers that an edge sends if a client connects with `forged` in X-Forwarded-For. */
function createEdgeHeaders(operator: string, client: string, forged?: string): Record<string, string> {
  const { client_address_header: header } = proxies.find((proxy) => proxy.operator === operator)!;
  return {
    ...(header !== null && { [header]: formatHeaderValue(header, client) }),
    [XFF]: forged === undefined ? client : `${forged}, ${client}`,
  };
}

describe.each(Object.keys(EDGES))('%s', (operator) => {
  const edge = EDGES[operator]!;
  const namedSetting = { networks: [operator.toUpperCase()] };

  it.each<[string, ProjectProxies]>([
    ['by default', {}],
    ['if the project names it', namedSetting],
  ])('reports the visitor address %s', (_, setting) => {
    const sent = createEdgeHeaders(operator, CRAWLER_ADDRESS);
    expect(resolveAddress(sent, edge, setting)[0]).toBe(CRAWLER_ADDRESS);
    expect(resolveAddress(sent, null, setting)[0]).toBe(CRAWLER_ADDRESS);
    // The site's own proxy appends the edge address.
    const headersBehindProxy = { ...sent, [XFF]: `${CRAWLER_ADDRESS}, ${edge}` };
    expect(resolveAddress(headersBehindProxy, '10.0.0.2', setting)[0]).toBe(CRAWLER_ADDRESS);
    expect(resolveAddress(headersBehindProxy, null, setting)[0]).toBe(CRAWLER_ADDRESS);
    expect(resolveAddress({ ...sent, [XFF]: `${VISITOR_ADDRESS}, ${CRAWLER_ADDRESS}` }, edge, setting)[0]).toBe(
      CRAWLER_ADDRESS,
    );
  });

  it.each<[string, ProjectProxies]>([
    ['by default', {}],
    ['if the project names it', namedSetting],
    [
      'if the project names another network',
      { networks: ['Cloudflare', 'Fastly'].filter((name) => name !== operator).slice(0, 1) },
    ],
    ['if the project trusts only its own proxies', { networks: [] }],
  ])('never reports a forged address %s', (_, setting) => {
    for (const peer of [VISITOR_ADDRESS, edge, '10.0.0.2', null]) {
      const forged = createEdgeHeaders(operator, VISITOR_ADDRESS, CRAWLER_ADDRESS);
      expect(resolveAddress(forged, peer, setting)[0]).not.toBe(CRAWLER_ADDRESS);
    }
    // A visitor who bypasses the network can forge all headers. The site's own proxy appends the visitor's address.
    const sent = createEdgeHeaders(operator, CRAWLER_ADDRESS);
    expect(resolveAddress(sent, VISITOR_ADDRESS, setting)[0]).not.toBe(CRAWLER_ADDRESS);
    expect(
      resolveAddress({ ...sent, [XFF]: `${CRAWLER_ADDRESS}, ${VISITOR_ADDRESS}` }, '10.0.0.2', setting)[0],
    ).not.toBe(CRAWLER_ADDRESS);
    expect(resolveAddress({ ...sent, [XFF]: `${CRAWLER_ADDRESS}, ${VISITOR_ADDRESS}` }, null, setting)[0]).not.toBe(
      CRAWLER_ADDRESS,
    );
  });

  it("doesn't trust a network if the project names only other networks", () => {
    const other = { networks: [operator === 'Cloudflare' ? 'Fastly' : 'Cloudflare'] };
    for (const setting of [other, { networks: [] }]) {
      expect(resolveAddress(createEdgeHeaders(operator, CRAWLER_ADDRESS), edge, setting)).toEqual([
        null,
        'unnamed_network',
      ]);
      const headersBehindProxy = { [XFF]: `${CRAWLER_ADDRESS}, ${edge}` };
      expect(resolveAddress(headersBehindProxy, '10.0.0.2', setting)).toEqual([null, 'unnamed_network']);
      expect(resolveAddress(headersBehindProxy, null, setting)).toEqual([null, 'unnamed_network']);
    }
  });

  it("doesn't trust a network if the project trusts another network's header", () => {
    if (operator === 'Cloudflare') return;
    const forged = { ...createEdgeHeaders(operator, VISITOR_ADDRESS), 'cf-connecting-ip': CRAWLER_ADDRESS };
    expect(resolveAddress(forged, edge, { header: 'cf-connecting-ip' })).toEqual([null, 'unnamed_network']);
  });

  it("leaves the visitor address unknown while the network's ranges are unknown", () => {
    const sent = {
      ...createEdgeHeaders(operator, CRAWLER_ADDRESS),
      ...(operator === 'Fastly' && { 'fastly-client-ip': CRAWLER_ADDRESS }),
    };
    expect(resolveAddress(sent, edge, {}, networksWithoutRanges)).toEqual([null, 'unlisted_network']);
    expect(resolveAddress(sent, edge, namedSetting, networksWithoutRanges)).toEqual([null, 'unlisted_network']);
    expect(
      resolveAddress({ ...sent, [XFF]: `${CRAWLER_ADDRESS}, ${edge}` }, '10.0.0.2', {}, networksWithoutRanges)[0],
    ).toBeNull();
  });
});

describe.each(['Akamai', 'Alibaba Cloud CDN', 'Alibaba Cloud ESA', 'Bunny', 'Tencent EdgeOne', 'Vercel', 'Netlify'])(
  '%s, which has no known ranges',
  (operator) => {
    const sent = {
      ...createEdgeHeaders(operator, CRAWLER_ADDRESS),
      ...(operator === 'Bunny' && { via: '1.1 BunnyCDN' }),
    };
    const namedSetting = { networks: [operator] };

    it("doesn't mistake a network without known ranges for the visitor", () => {
      expect(resolveAddress(sent, UNKNOWN_EDGE_ADDRESS)).toEqual([null, 'unlisted_network']);
      expect(resolveAddress(sent, UNKNOWN_EDGE_ADDRESS, namedSetting)).toEqual([null, 'unlisted_network']);
      const headersBehindProxy = { ...sent, [XFF]: `${CRAWLER_ADDRESS}, ${UNKNOWN_EDGE_ADDRESS}` };
      for (const setting of [{}, namedSetting]) {
        expect(resolveAddress(headersBehindProxy, '10.0.0.2', setting)[0]).toBeNull();
        expect(resolveAddress(headersBehindProxy, null, setting)[0]).toBeNull();
      }
    });

    it('reports the visitor address if no other network is in between', () => {
      expect(resolveAddress(sent, null)[0]).toBe(CRAWLER_ADDRESS);
      expect(resolveAddress(sent, null, namedSetting)[0]).toBe(CRAWLER_ADDRESS);
      expect(resolveAddress(sent, '10.0.0.2', namedSetting)[0]).toBe(CRAWLER_ADDRESS);
    });

    it('reports the visitor address from ranges that the project configures', () => {
      const own = { ...namedSetting, ranges: ['93.184.216.0/24'] };
      expect(resolveAddress(sent, UNKNOWN_EDGE_ADDRESS, own)[0]).toBe(CRAWLER_ADDRESS);
      expect(resolveAddress(sent, VISITOR_ADDRESS, own)[0]).not.toBe(CRAWLER_ADDRESS);
    });

    it('trusts a network without known ranges only if the project names it', () => {
      const { client_address_header: header } = proxies.find((proxy) => proxy.operator === operator)!;
      if (header === null) return;
      const onlyAddressHeader = { [header]: CRAWLER_ADDRESS };
      expect(resolveAddress(onlyAddressHeader, null, { networks: ['Cloudflare'] })).toEqual([
        null,
        'no_address_header',
      ]);
      expect(resolveAddress(onlyAddressHeader, null, { networks: [] })).toEqual([null, 'no_address_header']);
      expect(resolveAddress(onlyAddressHeader, null, namedSetting)[0]).toBe(CRAWLER_ADDRESS);
    });
  },
);

describe('Google Cloud Load Balancing', () => {
  const OWN = '34.120.10.20';
  const sent = { [XFF]: `${CRAWLER_ADDRESS},${OWN}`, via: '1.1 google' };
  const namedSetting = { networks: ['Google Cloud Load Balancing'] };

  it.each(GOOGLE_PEERS)(
    "reports the visitor address that precedes the load balancer's own address: peer %s",
    (peer) => {
      for (const setting of [{}, namedSetting]) {
        expect(resolveAddress(sent, peer, setting)[0]).toBe(CRAWLER_ADDRESS);
        expect(
          resolveAddress({ ...sent, [XFF]: `${VISITOR_ADDRESS},${CRAWLER_ADDRESS},${OWN}` }, peer, setting)[0],
        ).toBe(CRAWLER_ADDRESS);
        expect(
          resolveAddress({ ...sent, [XFF]: `${CRAWLER_ADDRESS},${VISITOR_ADDRESS},${OWN}` }, peer, setting)[0],
        ).toBe(VISITOR_ADDRESS);
        expect(resolveAddress({ ...sent, [XFF]: `${CRAWLER_ADDRESS},${OWN},${peer}` }, '10.0.0.2', setting)[0]).toBe(
          CRAWLER_ADDRESS,
        );
        expect(resolveAddress({ ...sent, [XFF]: `${CRAWLER_ADDRESS},${OWN},${peer}` }, null, setting)[0]).toBe(
          CRAWLER_ADDRESS,
        );
      }
    },
  );

  it('leaves the visitor address unknown if only the Via header indicates a load balancer', () => {
    expect(resolveAddress(sent, null)).toEqual([null, 'unlisted_network']);
    expect(resolveAddress(sent, '10.0.0.2')).toEqual([null, 'unlisted_network']);
    // The peer may be a load balancer that isn't in the list.
    expect(resolveAddress(sent, UNKNOWN_EDGE_ADDRESS)).toEqual([null, 'unlisted_network']);
  });

  it('reports the visitor address if the project names the network', () => {
    expect(resolveAddress(sent, null, namedSetting)[0]).toBe(CRAWLER_ADDRESS);
    expect(resolveAddress(sent, '10.0.0.2', namedSetting)[0]).toBe(CRAWLER_ADDRESS);
  });

  it("doesn't assume a load balancer if neither a header nor the peer indicates one", () => {
    const plain = { [XFF]: `${CRAWLER_ADDRESS}, ${VISITOR_ADDRESS}` };
    for (const peer of [null, '10.0.0.2', VISITOR_ADDRESS])
      expect(resolveAddress(plain, peer, namedSetting)[0]).not.toBe(CRAWLER_ADDRESS);
  });

  it('reports the visitor address behind Cloudflare', () => {
    const both = { networks: ['Cloudflare', 'Google Cloud Load Balancing'] };
    const headersBehindProxy = {
      ...sent,
      [XFF]: `${CRAWLER_ADDRESS},${EDGES['Cloudflare']},${OWN}`,
      'cf-connecting-ip': CRAWLER_ADDRESS,
    };
    expect(resolveAddress(headersBehindProxy, GOOGLE_PEERS[0]!, both)[0]).toBe(CRAWLER_ADDRESS);
    expect(resolveAddress(headersBehindProxy, null, both)[0]).toBe(CRAWLER_ADDRESS);
    expect(resolveAddress(headersBehindProxy, GOOGLE_PEERS[0]!)[0]).toBe(CRAWLER_ADDRESS);
  });

  it('prevents a visitor behind an appending proxy from impersonating the load balancer', () => {
    for (const peer of [null, '10.0.0.2', VISITOR_ADDRESS]) {
      expect(resolveAddress({ [XFF]: `${CRAWLER_ADDRESS}, ${VISITOR_ADDRESS}`, via: '1.1 google' }, peer)[0]).not.toBe(
        CRAWLER_ADDRESS,
      );
      expect(resolveAddress({ [XFF]: CRAWLER_ADDRESS, via: '1.1 google' }, VISITOR_ADDRESS)[0]).not.toBe(
        CRAWLER_ADDRESS,
      );
    }
  });
});

describe('hosting platforms', () => {
  it('Fly.io reports the visitor address even though it appends its own address', () => {
    const sent = { [XFF]: `${CRAWLER_ADDRESS}, 66.241.125.1`, 'fly-client-ip': CRAWLER_ADDRESS };
    expect(resolveAddress(sent, null)).toEqual([null, 'headers_disagree']);
    expect(resolveAddress(sent, null, { networks: ['Fly.io'] })[0]).toBe(CRAWLER_ADDRESS);
    expect(resolveAddress(sent, '172.16.4.2', { networks: ['Fly.io'] })[0]).toBe(CRAWLER_ADDRESS);
    const headersBehindProxy = {
      [XFF]: `${CRAWLER_ADDRESS}, 172.71.147.183, 66.241.125.1`,
      'fly-client-ip': '172.71.147.183',
      'cf-connecting-ip': CRAWLER_ADDRESS,
    };
    expect(resolveAddress(headersBehindProxy, null, { networks: ['Cloudflare', 'Fly.io'] })[0]).toBe(CRAWLER_ADDRESS);
  });

  it.each(['DigitalOcean App Platform', 'Google App Engine'])(
    '%s reports the visitor address if the project names it',
    (operator) => {
      const sent = createEdgeHeaders(operator, CRAWLER_ADDRESS);
      expect(resolveAddress(sent, null, { networks: [operator] })[0]).toBe(CRAWLER_ADDRESS);
      expect(resolveAddress(sent, '169.254.1.1', { networks: [operator] })[0]).toBe(CRAWLER_ADDRESS);
      expect(resolveAddress(sent, VISITOR_ADDRESS, { networks: [operator] })).toEqual([
        VISITOR_ADDRESS,
        'connection_peer',
      ]);
      expect(resolveAddress(sent, VISITOR_ADDRESS)).toEqual([VISITOR_ADDRESS, 'connection_peer']);
    },
  );
});

describe("Cloudflare's pseudo IPv4 addresses", () => {
  const EDGE = EDGES['Cloudflare']!;
  const sent = { 'cf-connecting-ip': '246.1.2.3', 'cf-connecting-ipv6': CRAWLER_IPV6 };

  it.each([{}, { networks: ['Cloudflare'] }])(
    'replaces a pseudo IPv4 address with the real IPv6 address (%j)',
    (setting) => {
      expect(resolveAddress(sent, EDGE, setting)[0]).toBe(CRAWLER_IPV6);
      expect(resolveAddress(sent, null, setting)[0]).toBe(CRAWLER_IPV6);
      expect(resolveAddress({ ...sent, [XFF]: '246.1.2.3' }, EDGE, setting)[0]).toBe(CRAWLER_IPV6);
      expect(resolveAddress({ ...sent, [XFF]: `246.1.2.3, ${EDGE}` }, '10.0.0.2', setting)[0]).toBe(CRAWLER_IPV6);
    },
  );

  it('leaves the visitor address unknown if the IPv6 address for a pseudo IPv4 address is missing', () => {
    expect(resolveAddress({ 'cf-connecting-ip': '246.1.2.3' }, EDGE)).toEqual([null, 'special_purpose_address']);
    expect(resolveAddress({ [XFF]: '246.1.2.3' }, EDGE)).toEqual([null, 'special_purpose_address']);
  });

  it("doesn't let a visitor choose an address through a pseudo IPv4 address", () => {
    expect(resolveAddress({ 'cf-connecting-ip': VISITOR_ADDRESS, 'cf-connecting-ipv6': CRAWLER_IPV6 }, EDGE)[0]).toBe(
      VISITOR_ADDRESS,
    );
    expect(resolveAddress({ 'cf-connecting-ipv6': CRAWLER_IPV6 }, EDGE)).toEqual([null, 'no_address_header']);
    expect(resolveAddress({ ...sent, [XFF]: `${CRAWLER_IPV6}, ${VISITOR_ADDRESS}` }, '10.0.0.2')[0]).toBeNull();
    expect(resolveAddress({ ...sent, [XFF]: `246.1.2.3, ${VISITOR_ADDRESS}` }, '10.0.0.2', { networks: [] })[0]).toBe(
      VISITOR_ADDRESS,
    );
  });
});

it("treats every network's address header as a forwarding header", () => {
  const headers = proxies.flatMap(({ client_address_header: header }) => header ?? []);
  expect(headers.filter((header) => !FORWARDING_HEADERS.has(header))).toEqual([]);
  expect(new Set(proxies.map(({ operator }) => operator.toLowerCase())).size).toBe(proxies.length);
  expect(
    proxies.filter(
      ({ ranges, ranges_as_of: date, list_urls: urls }) => ranges.length > 0 && !date && urls.length === 0,
    ),
  ).toEqual([]);
});

describe('headers that a visitor adds to those from a named network', () => {
  const own = { 'cf-connecting-ip': VISITOR_ADDRESS, [XFF]: `${CRAWLER_ADDRESS}, ${VISITOR_ADDRESS}` };

  it.each([
    ['X-Real-IP', { 'x-real-ip': CRAWLER_ADDRESS }],
    ['X-Client-IP', { 'x-client-ip': CRAWLER_ADDRESS }],
    ['X-Cluster-Client-IP', { 'x-cluster-client-ip': CRAWLER_ADDRESS }],
    ['an internal X-Real-IP', { 'x-real-ip': '10.0.0.1' }],
    ['Forwarded', { forwarded: `for=${CRAWLER_ADDRESS}` }],
    ['a malformed Forwarded', { forwarded: 'for=unknown' }],
    [
      'several headers',
      { forwarded: `for=${CRAWLER_ADDRESS}`, 'x-real-ip': CRAWLER_ADDRESS, 'x-client-ip': '10.0.0.1' },
    ],
  ])('reports the visitor address despite headers that the visitor added: %s', (_, added) => {
    const setting = { networks: ['Cloudflare'] };
    expect(resolveAddress({ ...own, ...added }, EDGES['Cloudflare']!, setting)).toEqual([
      VISITOR_ADDRESS,
      'forwarded_list',
    ]);
    // The site's own proxy may have added these headers for a visitor who bypassed the network.
    for (const peer of [null, '10.0.0.5']) expect(resolveAddress({ ...own, ...added }, peer, setting)[0]).toBeNull();
  });

  it.each([
    [
      'the network reports a different address',
      { ...own, 'cf-connecting-ip': CRAWLER_ADDRESS, forwarded: `for=${CRAWLER_ADDRESS}` },
      ['Cloudflare'],
    ],
    ['no network reports an address', { [XFF]: VISITOR_ADDRESS, forwarded: `for=${CRAWLER_ADDRESS}` }, ['Cloudflare']],
    ['the project names no networks', { [XFF]: VISITOR_ADDRESS, 'x-real-ip': CRAWLER_ADDRESS }, []],
    [
      'two networks report different addresses',
      { ...own, 'true-client-ip': CRAWLER_ADDRESS, 'x-real-ip': CRAWLER_ADDRESS },
      ['Cloudflare', 'Akamai'],
    ],
  ])('leaves the visitor address unknown if %s', (_, headers, networks) => {
    expect(resolveAddress(headers, EDGES['Cloudflare']!, { networks })[0]).toBeNull();
  });
});
