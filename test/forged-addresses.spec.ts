import { clientAddress, normalizeHeaders, type ProjectProxies } from '#libs/agents';
import { bundledCatalog, compileCatalog } from '#libs/catalog';
import { FORGED_ADDRESS, FORGED_SHAPES, VISITOR_ADDRESS, type ForgedShape } from './kit/forged-addresses.js';

const { proxyNetworks } = compileCatalog(bundledCatalog());

function found(headers: ForgedShape['headers'], proxies: ProjectProxies = {}): string | null {
  return clientAddress(normalizeHeaders(headers), proxies, proxyNetworks).address;
}

describe.each(FORGED_SHAPES)('forged address: $name', ({ headers, appendedTo }) => {
  it.each<[string, ProjectProxies]>([
    ['by default', {}],
    ['with one proxy', { hops: 1 }],
    ['with proxies of its own only', { networks: [] }],
    ['with Cloudflare', { networks: ['Cloudflare'] }],
    [
      'with Google Cloud and Akamai',
      { networks: ['Google Cloud Load Balancing', 'Akamai'], ranges: ['203.0.113.0/24'] },
    ],
    ["with the proxy's header", { header: appendedTo }],
    ["with the proxy's header and one proxy", { header: appendedTo, hops: 1 }],
    ['with ranges of its own', { ranges: ['203.0.113.0/24'] }],
  ])('is ignored %s', (_, proxies) => {
    expect([null, VISITOR_ADDRESS]).toContain(found(headers, proxies));
  });

  it('is ignored if the project trusts no header', () => {
    expect(found(headers, { mode: 'none' })).toBeNull();
  });
});

describe('FORGED_SHAPES', () => {
  it('contains at least 100 shapes with unique names', () => {
    expect(new Set(FORGED_SHAPES.map(({ name }) => name)).size).toBe(FORGED_SHAPES.length);
    expect(FORGED_SHAPES.length).toBeGreaterThanOrEqual(100);
  });

  it('forges an address that is accepted from a proxy that passes headers through', () => {
    const sent: ForgedShape['headers'][] = [
      { 'X-Forwarded-For': FORGED_ADDRESS },
      { Forwarded: `for=${FORGED_ADDRESS}` },
    ];
    expect(sent.map((headers) => found(headers))).toEqual([FORGED_ADDRESS, FORGED_ADDRESS]);
  });

  it("reveals the visitor's address in most shapes", () => {
    const seen = FORGED_SHAPES.filter(({ headers }) => found(headers, { hops: 1 }) === VISITOR_ADDRESS);
    expect(seen.length / FORGED_SHAPES.length).toBeGreaterThan(0.5);
  });
});
