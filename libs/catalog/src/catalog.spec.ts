import { agentId, createCatalog, type AgentRecord, type ProxyNetwork } from './catalog.js';
import { compileCatalog } from './compiled-catalog.js';

const record = (token: string, pattern = token): AgentRecord => ({
  token,
  type: 'Fetcher',
  operator: null,
  url: null,
  user_agent_patterns: [pattern],
  robots_token: null,
  verification: {},
  sources: [],
});
const proxy: ProxyNetwork = {
  operator: 'Edge',
  list_urls: [],
  format: 'text',
  client_address_header: 'x-edge',
  ranges: ['192.0.2.0/24'],
};

describe('catalog', () => {
  it('derives stable IDs from tokens, ignoring case', () => {
    expect(agentId('GPTBot')).toBe(agentId('gptbot'));
    expect(agentId('GPTBot')).not.toBe(agentId('ClaudeBot'));
    expect(agentId('GPTBot')).toBe('d71f20a7-654a-5091-93d7-c783f37c5200');
  });

  it('derives the catalog version from the content, ignoring field order', () => {
    const { version } = createCatalog({ agents: [record('Alpha'), record('Beta')], proxies: [proxy] });
    const reordered = Object.fromEntries(Object.entries(record('Alpha')).toReversed()) as unknown as AgentRecord;
    expect(version).toMatch(/^[0-9a-f]{16}$/);
    expect(createCatalog({ agents: [reordered, record('Beta')], proxies: [proxy] }).version).toBe(version);
    expect(createCatalog({ agents: [record('Beta'), record('Alpha')], proxies: [proxy] }).version).not.toBe(version);
    expect(createCatalog({ agents: [record('Alpha', 'A'), record('Beta')], proxies: [proxy] }).version).not.toBe(
      version,
    );
    expect(createCatalog({ agents: [record('Alpha'), record('Beta')], proxies: [] }).version).not.toBe(version);
  });

  it('compiles the catalog into lookups by token, ID, User-Agent and proxy range', () => {
    const catalog = createCatalog({ agents: [record('Alpha'), record('Beta')], proxies: [proxy] });
    const { version, matcher, proxyNetworks, byToken, byId } = compileCatalog(catalog);
    const alpha = catalog.agents[0]!;
    expect(version).toBe(catalog.version);
    expect(matcher.match('alpha/1')?.agent).toBe(alpha);
    expect([byToken.get('alpha'), byId.get(agentId('Alpha'))]).toEqual([alpha, alpha]);
    expect(proxyNetworks.find({ family: 4, text: '192.0.2.1', value: 0xc0_00_02_01 })?.operator).toBe(proxy.operator);
  });

  it('rejects a duplicate token', () => {
    expect(() => compileCatalog(createCatalog({ agents: [record('Alpha'), record('ALPHA')], proxies: [] }))).toThrow(
      'ALPHA',
    );
  });
});
