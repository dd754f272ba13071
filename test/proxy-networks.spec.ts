import { clientAddress, normalizeHeaders, type ProjectProxies } from '#libs/agents';
import { bundledCatalog, compileCatalog } from '#libs/catalog';
import { FORWARDING_HEADERS } from '#libs/agents';

/** Address in Googlebot's published ranges, which visitors may forge. */
const CRAWLER = '66.249.66.1';
const CRAWLER_IPV6 = '2001:4860:4801:10::1';
const STRANGER = '198.51.100.9';
const XFF = 'x-forwarded-for';

const { proxies } = bundledCatalog();
const { proxyNetworks } = compileCatalog(bundledCatalog());
/** Networks without any ranges: none bundled, none fetched. */
const unfetched = compileCatalog({
  ...bundledCatalog(),
  proxies: proxies.map((proxy) => ({ ...proxy, ranges: [] })),
}).proxyNetworks;

const found = (
  headers: Record<string, unknown>,
  peer: string | null,
  setting: ProjectProxies = {},
  networks = proxyNetworks,
): [string | null, string] => {
  const { address, reason } = clientAddress(normalizeHeaders(headers), setting, networks, peer);
  return [address, reason];
};

/** Edge address of each network with known ranges. */
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
const UNKNOWN_EDGE = '93.184.216.34';

const valueOf = (header: string, address: string): string =>
  header === 'cloudfront-viewer-address' ? `${address}:46532` : address;

/** Headers that an edge sends, with a forged address in front if given. */
function passedOn(operator: string, client: string, forged?: string): Record<string, string> {
  const { client_address_header: header } = proxies.find((proxy) => proxy.operator === operator)!;
  return {
    ...(header !== null && { [header]: valueOf(header, client) }),
    [XFF]: forged === undefined ? client : `${forged}, ${client}`,
  };
}

describe.each(Object.keys(EDGES))('%s', (operator) => {
  const edge = EDGES[operator]!;
  const named = { networks: [operator.toUpperCase()] };

  it.each<[string, ProjectProxies]>([
    ['by default', {}],
    ['if it is named', named],
  ])('reports its visitor %s', (_, setting) => {
    const sent = passedOn(operator, CRAWLER);
    expect(found(sent, edge, setting)[0]).toBe(CRAWLER);
    expect(found(sent, null, setting)[0]).toBe(CRAWLER);
    // The site's own proxy appends the address of the edge.
    const behind = { ...sent, [XFF]: `${CRAWLER}, ${edge}` };
    expect(found(behind, '10.0.0.2', setting)[0]).toBe(CRAWLER);
    expect(found(behind, null, setting)[0]).toBe(CRAWLER);
    expect(found({ ...sent, [XFF]: `${STRANGER}, ${CRAWLER}` }, edge, setting)[0]).toBe(CRAWLER);
  });

  it.each<[string, ProjectProxies]>([
    ['by default', {}],
    ['if it is named', named],
    ['if another one is', { networks: ['Cloudflare', 'Fastly'].filter((name) => name !== operator).slice(0, 1) }],
    ['with proxies of its own only', { networks: [] }],
  ])('never reports a forged address %s', (_, setting) => {
    for (const peer of [STRANGER, edge, '10.0.0.2', null]) {
      const forged = passedOn(operator, STRANGER, CRAWLER);
      expect(found(forged, peer, setting)[0]).not.toBe(CRAWLER);
    }
    // Bypassing the network: the visitor forged all headers, and the site's own proxy appended the visitor's address.
    const sent = passedOn(operator, CRAWLER);
    expect(found(sent, STRANGER, setting)[0]).not.toBe(CRAWLER);
    expect(found({ ...sent, [XFF]: `${CRAWLER}, ${STRANGER}` }, '10.0.0.2', setting)[0]).not.toBe(CRAWLER);
    expect(found({ ...sent, [XFF]: `${CRAWLER}, ${STRANGER}` }, null, setting)[0]).not.toBe(CRAWLER);
  });

  it('counts for a project that names networks only if it is one of them', () => {
    const other = { networks: [operator === 'Cloudflare' ? 'Fastly' : 'Cloudflare'] };
    for (const setting of [other, { networks: [] }]) {
      expect(found(passedOn(operator, CRAWLER), edge, setting)).toEqual([null, 'unnamed_network']);
      const behind = { [XFF]: `${CRAWLER}, ${edge}` };
      expect(found(behind, '10.0.0.2', setting)).toEqual([null, 'unnamed_network']);
      expect(found(behind, null, setting)).toEqual([null, 'unnamed_network']);
    }
  });

  it("does not count for a project that trusts another network's header", () => {
    if (operator === 'Cloudflare') return;
    const forged = { ...passedOn(operator, STRANGER), 'cf-connecting-ip': CRAWLER };
    expect(found(forged, edge, { header: 'cf-connecting-ip' })).toEqual([null, 'unnamed_network']);
  });

  it('leaves the address unknown while its ranges are unknown', () => {
    const sent = { ...passedOn(operator, CRAWLER), ...(operator === 'Fastly' && { 'fastly-client-ip': CRAWLER }) };
    expect(found(sent, edge, {}, unfetched)).toEqual([null, 'unlisted_network']);
    expect(found(sent, edge, named, unfetched)).toEqual([null, 'unlisted_network']);
    expect(found({ ...sent, [XFF]: `${CRAWLER}, ${edge}` }, '10.0.0.2', {}, unfetched)[0]).toBeNull();
  });
});

describe.each(['Akamai', 'Alibaba Cloud CDN', 'Alibaba Cloud ESA', 'Bunny', 'Tencent EdgeOne', 'Vercel', 'Netlify'])(
  '%s, which has no known ranges',
  (operator) => {
    const sent = { ...passedOn(operator, CRAWLER), ...(operator === 'Bunny' && { via: '1.1 BunnyCDN' }) };
    const named = { networks: [operator] };

    it('is not mistaken for the visitor', () => {
      expect(found(sent, UNKNOWN_EDGE)).toEqual([null, 'unlisted_network']);
      expect(found(sent, UNKNOWN_EDGE, named)).toEqual([null, 'unlisted_network']);
      const behind = { ...sent, [XFF]: `${CRAWLER}, ${UNKNOWN_EDGE}` };
      for (const setting of [{}, named]) {
        expect(found(behind, '10.0.0.2', setting)[0]).toBeNull();
        expect(found(behind, null, setting)[0]).toBeNull();
      }
    });

    it('reports its visitor if nothing else is between it and the site', () => {
      expect(found(sent, null)[0]).toBe(CRAWLER);
      expect(found(sent, null, named)[0]).toBe(CRAWLER);
      expect(found(sent, '10.0.0.2', named)[0]).toBe(CRAWLER);
    });

    it('reports its visitor from ranges that the project adds', () => {
      const own = { ...named, ranges: ['93.184.216.0/24'] };
      expect(found(sent, UNKNOWN_EDGE, own)[0]).toBe(CRAWLER);
      expect(found(sent, STRANGER, own)[0]).not.toBe(CRAWLER);
    });

    it('counts for a project that names networks only if it is one of them', () => {
      const { client_address_header: header } = proxies.find((proxy) => proxy.operator === operator)!;
      if (header === null) return;
      const alone = { [header]: CRAWLER };
      expect(found(alone, null, { networks: ['Cloudflare'] })).toEqual([null, 'no_address_header']);
      expect(found(alone, null, { networks: [] })).toEqual([null, 'no_address_header']);
      expect(found(alone, null, named)[0]).toBe(CRAWLER);
    });
  },
);

describe('Google Cloud Load Balancing', () => {
  const OWN = '34.120.10.20';
  const sent = { [XFF]: `${CRAWLER},${OWN}`, via: '1.1 google' };
  const named = { networks: ['Google Cloud Load Balancing'] };

  it.each(GOOGLE_PEERS)('reports its visitor before its own address: peer %s', (peer) => {
    for (const setting of [{}, named]) {
      expect(found(sent, peer, setting)[0]).toBe(CRAWLER);
      expect(found({ ...sent, [XFF]: `${STRANGER},${CRAWLER},${OWN}` }, peer, setting)[0]).toBe(CRAWLER);
      expect(found({ ...sent, [XFF]: `${CRAWLER},${STRANGER},${OWN}` }, peer, setting)[0]).toBe(STRANGER);
      expect(found({ ...sent, [XFF]: `${CRAWLER},${OWN},${peer}` }, '10.0.0.2', setting)[0]).toBe(CRAWLER);
      expect(found({ ...sent, [XFF]: `${CRAWLER},${OWN},${peer}` }, null, setting)[0]).toBe(CRAWLER);
    }
  });

  it('leaves the address unknown if only a header indicates it', () => {
    expect(found(sent, null)).toEqual([null, 'unlisted_network']);
    expect(found(sent, '10.0.0.2')).toEqual([null, 'unlisted_network']);
    // From an unknown load balancer address.
    expect(found(sent, UNKNOWN_EDGE)).toEqual([null, 'unlisted_network']);
  });

  it('reports its visitor to a site that names it', () => {
    expect(found(sent, null, named)[0]).toBe(CRAWLER);
    expect(found(sent, '10.0.0.2', named)[0]).toBe(CRAWLER);
  });

  it('is not assumed when nothing indicates it', () => {
    const plain = { [XFF]: `${CRAWLER}, ${STRANGER}` };
    for (const peer of [null, '10.0.0.2', STRANGER]) expect(found(plain, peer, named)[0]).not.toBe(CRAWLER);
  });

  it('reports its visitor behind Cloudflare', () => {
    const both = { networks: ['Cloudflare', 'Google Cloud Load Balancing'] };
    const behind = { ...sent, [XFF]: `${CRAWLER},${EDGES['Cloudflare']},${OWN}`, 'cf-connecting-ip': CRAWLER };
    expect(found(behind, GOOGLE_PEERS[0]!, both)[0]).toBe(CRAWLER);
    expect(found(behind, null, both)[0]).toBe(CRAWLER);
    expect(found(behind, GOOGLE_PEERS[0]!)[0]).toBe(CRAWLER);
  });

  it('cannot be claimed by a visitor behind an appending proxy', () => {
    for (const peer of [null, '10.0.0.2', STRANGER]) {
      expect(found({ [XFF]: `${CRAWLER}, ${STRANGER}`, via: '1.1 google' }, peer)[0]).not.toBe(CRAWLER);
      expect(found({ [XFF]: CRAWLER, via: '1.1 google' }, STRANGER)[0]).not.toBe(CRAWLER);
    }
  });
});

describe('hosting platforms', () => {
  it('reports the visitor of Fly.io, which appends its own address', () => {
    const sent = { [XFF]: `${CRAWLER}, 66.241.125.1`, 'fly-client-ip': CRAWLER };
    expect(found(sent, null)).toEqual([null, 'headers_disagree']);
    expect(found(sent, null, { networks: ['Fly.io'] })[0]).toBe(CRAWLER);
    expect(found(sent, '172.16.4.2', { networks: ['Fly.io'] })[0]).toBe(CRAWLER);
    const behind = {
      [XFF]: `${CRAWLER}, 172.71.147.183, 66.241.125.1`,
      'fly-client-ip': '172.71.147.183',
      'cf-connecting-ip': CRAWLER,
    };
    expect(found(behind, null, { networks: ['Cloudflare', 'Fly.io'] })[0]).toBe(CRAWLER);
  });

  it.each(['DigitalOcean App Platform', 'Google App Engine'])(
    '%s reports its visitor to a site that names it',
    (operator) => {
      const sent = passedOn(operator, CRAWLER);
      expect(found(sent, null, { networks: [operator] })[0]).toBe(CRAWLER);
      expect(found(sent, '169.254.1.1', { networks: [operator] })[0]).toBe(CRAWLER);
      expect(found(sent, STRANGER, { networks: [operator] })).toEqual([STRANGER, 'connection_peer']);
      expect(found(sent, STRANGER)).toEqual([STRANGER, 'connection_peer']);
    },
  );
});

describe("Cloudflare's IPv4 addresses for visitors with IPv6", () => {
  const EDGE = EDGES['Cloudflare']!;
  const sent = { 'cf-connecting-ip': '246.1.2.3', 'cf-connecting-ipv6': CRAWLER_IPV6 };

  it.each([{}, { networks: ['Cloudflare'] }])('are replaced by the real address (%j)', (setting) => {
    expect(found(sent, EDGE, setting)[0]).toBe(CRAWLER_IPV6);
    expect(found(sent, null, setting)[0]).toBe(CRAWLER_IPV6);
    expect(found({ ...sent, [XFF]: '246.1.2.3' }, EDGE, setting)[0]).toBe(CRAWLER_IPV6);
    expect(found({ ...sent, [XFF]: `246.1.2.3, ${EDGE}` }, '10.0.0.2', setting)[0]).toBe(CRAWLER_IPV6);
  });

  it('leave the address unknown without the real one', () => {
    expect(found({ 'cf-connecting-ip': '246.1.2.3' }, EDGE)).toEqual([null, 'special_purpose_address']);
    expect(found({ [XFF]: '246.1.2.3' }, EDGE)).toEqual([null, 'special_purpose_address']);
  });

  it('do not let a visitor choose an address', () => {
    expect(found({ 'cf-connecting-ip': STRANGER, 'cf-connecting-ipv6': CRAWLER_IPV6 }, EDGE)[0]).toBe(STRANGER);
    expect(found({ 'cf-connecting-ipv6': CRAWLER_IPV6 }, EDGE)).toEqual([null, 'no_address_header']);
    expect(found({ ...sent, [XFF]: `${CRAWLER_IPV6}, ${STRANGER}` }, '10.0.0.2')[0]).toBeNull();
    expect(found({ ...sent, [XFF]: `246.1.2.3, ${STRANGER}` }, '10.0.0.2', { networks: [] })[0]).toBe(STRANGER);
  });
});

it('treats the header of every network as a forwarding header', () => {
  const headers = proxies.flatMap(({ client_address_header: header }) => header ?? []);
  expect(headers.filter((header) => !FORWARDING_HEADERS.has(header))).toEqual([]);
  expect(new Set(proxies.map(({ operator }) => operator.toLowerCase())).size).toBe(proxies.length);
  expect(
    proxies.filter(
      ({ ranges, ranges_as_of: date, list_urls: urls }) => ranges.length > 0 && !date && urls.length === 0,
    ),
  ).toEqual([]);
});

describe("headers that a visitor adds to a named network's own", () => {
  const own = { 'cf-connecting-ip': STRANGER, [XFF]: `${CRAWLER}, ${STRANGER}` };

  it.each([
    ['X-Real-IP', { 'x-real-ip': CRAWLER }],
    ['X-Client-IP', { 'x-client-ip': CRAWLER }],
    ['X-Cluster-Client-IP', { 'x-cluster-client-ip': CRAWLER }],
    ['an internal X-Real-IP', { 'x-real-ip': '10.0.0.1' }],
    ['Forwarded', { forwarded: `for=${CRAWLER}` }],
    ['Forwarded that is malformed', { forwarded: 'for=unknown' }],
    ['several', { forwarded: `for=${CRAWLER}`, 'x-real-ip': CRAWLER, 'x-client-ip': '10.0.0.1' }],
  ])("don't hide the visitor: %s", (_, added) => {
    const setting = { networks: ['Cloudflare'] };
    expect(found({ ...own, ...added }, EDGES['Cloudflare']!, setting)).toEqual([STRANGER, 'forwarded_list']);
    // The site's own proxy may have added them for a visitor who bypassed the network.
    for (const peer of [null, '10.0.0.5']) expect(found({ ...own, ...added }, peer, setting)[0]).toBeNull();
  });

  it.each([
    [
      'the network reports another',
      { ...own, 'cf-connecting-ip': CRAWLER, forwarded: `for=${CRAWLER}` },
      ['Cloudflare'],
    ],
    ['no network reports it', { [XFF]: STRANGER, forwarded: `for=${CRAWLER}` }, ['Cloudflare']],
    ['the network has no header', { [XFF]: STRANGER, 'x-real-ip': CRAWLER }, []],
    [
      'two networks report different ones',
      { ...own, 'true-client-ip': CRAWLER, 'x-real-ip': CRAWLER },
      ['Cloudflare', 'Akamai'],
    ],
  ])('leave the address unknown if %s', (_, headers, networks) => {
    expect(found(headers, EDGES['Cloudflare']!, { networks })[0]).toBeNull();
  });
});
