import { resolveClientAddress, normalizeHeaders, type ProjectProxies } from '#libs/agents';
import { getBundledCatalog, compileCatalog } from '#libs/catalog';
import { FORGED_ADDRESS, FORGED_REQUESTS, VISITOR_ADDRESS, type ForgedRequest } from './kit/forged-addresses.js';

const { proxyNetworks } = compileCatalog(getBundledCatalog());

function findAddress(headers: ForgedRequest['headers'], proxies: ProjectProxies = {}): string | null {
  return resolveClientAddress(normalizeHeaders(headers), proxies, proxyNetworks).address;
}

describe.each(FORGED_REQUESTS)('forged address ($name)', ({ headers, appendedTo }) => {
  it.each<[string, ProjectProxies]>([
    ['by default', {}],
    ['with one proxy', { hops: 1 }],
    ["with only the site's own proxies", { networks: [] }],
    ['with Cloudflare', { networks: ['Cloudflare'] }],
    [
      'with Google Cloud and Akamai',
      { networks: ['Google Cloud Load Balancing', 'Akamai'], ranges: ['203.0.113.0/24'] },
    ],
    ["with the proxy's header", { header: appendedTo }],
    ["with the proxy's header and one proxy", { header: appendedTo, hops: 1 }],
    ["with the site's own ranges", { ranges: ['203.0.113.0/24'] }],
  ])('ignores a forged address %s', (_, proxies) => {
    expect([null, VISITOR_ADDRESS]).toContain(findAddress(headers, proxies));
  });

  it("ignores a forged address if the project doesn't trust any header", () => {
    expect(findAddress(headers, { mode: 'none' })).toBeNull();
  });
});

describe('FORGED_SHAPES', () => {
  it('defines at least 100 shapes of forged headers, with unique names', () => {
    expect(new Set(FORGED_REQUESTS.map(({ name }) => name)).size).toBe(FORGED_REQUESTS.length);
    expect(FORGED_REQUESTS.length).toBeGreaterThanOrEqual(100);
  });

  it('forges an address that is accepted if a proxy passes headers through', () => {
    const sent: ForgedRequest['headers'][] = [
      { 'X-Forwarded-For': FORGED_ADDRESS },
      { Forwarded: `for=${FORGED_ADDRESS}` },
    ];
    expect(sent.map((headers) => findAddress(headers))).toEqual([FORGED_ADDRESS, FORGED_ADDRESS]);
  });

  it("includes the visitor's real address in most shapes of forged headers", () => {
    const seen = FORGED_REQUESTS.filter(({ headers }) => findAddress(headers, { hops: 1 }) === VISITOR_ADDRESS);
    expect(seen.length / FORGED_REQUESTS.length).toBeGreaterThan(0.5);
  });
});
