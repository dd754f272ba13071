import { generateKeyPairSync } from 'node:crypto';
import { compileAddressEvidence } from './address-evidence.js';
import { compileAddressOriginLookup } from './address-origin.js';
import type { AgentDefinition } from './agent.js';
import { AgentMatcher } from './agent.matcher.js';
import { resolveClientAddress } from './client-address.js';
import { cachedOnly, type DnsResult, type EvidenceSources } from './evidence-sources.js';
import { normalizeHeaders } from './headers.js';
import { identify, type Identification, type IdentificationContext } from './identification.js';
import { parseKeySet } from './web-bot-auth/key-set.js';
import { compileProxyNetworks } from './proxy-networks.js';
import { signWebBotAuthRequest } from './web-bot-auth/signed-request.js';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const DAY = 86_400_000;
const SIGNER = 'https://signer.example/.well-known/http-message-signatures-directory';
const agent = (token: string, verification: AgentDefinition['verification'], patterns = [token]): AgentDefinition => ({
  id: `id of ${token}`,
  token,
  type: 'AI Data Scraper',
  operator: 'Company',
  url: 'https://example.com/',
  user_agent_patterns: patterns,
  robots_token: token,
  verification,
});
const agents = [
  agent('RangeBot', { ip_ranges: ['192.0.2.0/24'] }),
  agent('NameBot', { reverse_dns_suffixes: ['crawl.example'] }),
  agent('BothBot', { ip_ranges: ['192.0.2.0/24'], reverse_dns_suffixes: ['crawl.example'] }),
  agent('OldBot', {
    ip_ranges: ['192.0.2.0/24'],
    ip_ranges_as_of: '2026-01-01',
    reverse_dns_suffixes: ['crawl.example'],
  }),
  agent('SignBot', { signature_agents: ['signer.example'] }),
  { ...agent('curl', {}, ['(?=^curl\\b).']), operator: null, url: null },
];
const signer = agents[4]!;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const keys = parseKeySet({ keys: [publicKey.export({ format: 'jwk' })] });
const names: Record<string, DnsResult> = {
  '192.0.2.9': { values: ['a.crawl.example'] },
  '198.51.100.9': { values: ['b.crawl.example'] },
  '198.51.100.8': { values: ['b.crawl.example'] },
  '198.51.100.7': { fault: 'dns_timeout' },
};
const addresses: Record<string, DnsResult> = {
  'a.crawl.example': { values: ['192.0.2.9'] },
  'b.crawl.example': { values: ['198.51.100.9'] },
};
const sources: EvidenceSources = {
  directories: { find: (_, id) => (keys.has(id) ? { key: keys.get(id)! } : { fault: 'key_not_in_directory' }) },
  dns: {
    hostNames: (address) => names[address.text] ?? { values: [] },
    addresses: (name) => addresses[name] ?? { values: [] },
  },
};

const getAgentEvidence = (one: AgentDefinition) => compileAddressEvidence(one, () => undefined);

function identifyRequest(
  raw: Record<string, unknown>,
  change: Partial<IdentificationContext> & { at?: number; receivedAt?: number } = {},
) {
  const headers = normalizeHeaders(raw);
  const context: IdentificationContext = {
    catalog: {
      version: 'v1',
      matcher: new AgentMatcher(agents),
      getAgentByDirectory: (url) => (url === SIGNER ? signer : null),
      getAddressEvidence: getAgentEvidence,
      findAddressOrigin: compileAddressOriginLookup(agents, getAgentEvidence),
    },
    clientAddress: resolveClientAddress(headers, {}, compileProxyNetworks([])),
    sources,
    hostNames: [],
    allowTestKeys: false,
    now: NOW,
    ...change,
  };
  const { at = NOW, receivedAt = at } = change;
  return identify({ headers, method: 'GET', path: '/', at, receivedAt }, context);
}

const identifySync = (raw: Record<string, unknown>, change: Parameters<typeof identifyRequest>[1] = {}) =>
  identifyRequest(raw, change) as Identification;
const agentHeaders = (userAgent: string, address?: string) => ({
  'User-Agent': `Mozilla/5.0 (compatible; ${userAgent}/1.2)`,
  ...(address !== undefined && { 'X-Forwarded-For': address }),
});
const signedHeaders = (at = NOW) => ({
  ...signWebBotAuthRequest({
    url: 'https://site.example/',
    method: 'GET',
    key: privateKey,
    signatureAgent: 'https://signer.example',
    now: at,
    lifetimeSeconds: 300,
  }),
  host: 'site.example',
});

describe('identify', () => {
  it('returns the agent named in the User-Agent and the method that verified it', () => {
    expect(identifySync(agentHeaders('rangebot', '192.0.2.1'))).toMatchObject({
      result: 'verified',
      agent_id: 'id of RangeBot',
      agent_token: 'RangeBot',
      agent_url: 'https://example.com/',
      agent_type_name: 'AI Data Scraper',
      operator_name: 'Company',
      method: 'ip_range',
      reason: null,
      evidence: {
        user_agent_match: 'rangebot',
        user_agent_token: 'RangeBot',
        client_address_source: 'x-forwarded-for',
        client_address_reason: 'forwarded_list',
        steps: [{ method: 'ip_range', outcome: 'pass', range: '192.0.2.0/24' }],
      },
      catalog_version: 'v1',
    });
  });

  it.each([
    ['RangeBot', '198.51.100.1', 'verification_failed', 'ip_range', 'address_not_listed'],
    ['RangeBot', undefined, 'not_verifiable', null, 'no_client_address'],
    ['NameBot', '198.51.100.9', 'verified', 'reverse_dns', null],
    ['NameBot', '198.51.100.8', 'verification_failed', 'reverse_dns', 'host_name_not_confirmed'],
    ['NameBot', '198.51.100.1', 'verification_failed', 'reverse_dns', 'no_host_name'],
    ['NameBot', '198.51.100.7', 'not_verifiable', null, 'dns_timeout'],
    // One passing method is enough to verify a visit. To refute it, both methods must fail. A timeout never refutes a
    // visit.
    ['BothBot', '198.51.100.9', 'verified', 'reverse_dns', null],
    ['BothBot', '198.51.100.1', 'verification_failed', 'reverse_dns', 'no_host_name'],
    ['BothBot', '198.51.100.7', 'not_verifiable', null, 'dns_timeout'],
    // An outdated list can't refute a visit, but reverse DNS can.
    ['OldBot', '192.0.2.1', 'verified', 'ip_range', null],
    ['OldBot', '198.51.100.1', 'verification_failed', 'reverse_dns', 'no_host_name'],
    ['SignBot', '198.51.100.1', 'not_verifiable', null, 'no_signature'],
    ['curl', '198.51.100.1', 'unknown_agent', null, null],
  ])('identifies %s from %s as %s', (userAgent, address, result, method, reason) => {
    expect(identifySync(agentHeaders(userAgent, address))).toMatchObject({ result, method, reason });
  });

  it('falls back to the address ranges if DNS is turned off', () => {
    const off = { fault: 'dns_off' } as const;
    const change = { sources: { ...sources, dns: { hostNames: () => off, addresses: () => off } } };
    expect(identifySync(agentHeaders('BothBot', '198.51.100.1'), change)).toMatchObject({
      result: 'verification_failed',
      method: 'ip_range',
    });
    expect(identifySync(agentHeaders('NameBot', '198.51.100.1'), change)).toMatchObject({
      result: 'not_verifiable',
      reason: 'dns_off',
    });
  });

  it('returns null for unknown agents and agent fields', () => {
    const known = identifySync({ 'user-agent': 'curl/8.5.0' });
    expect(known).toMatchObject({
      result: 'not_verifiable',
      reason: 'no_method',
      operator_name: null,
      agent_url: null,
    });
    expect(identifySync({})).toMatchObject({ result: 'unknown_agent', agent_id: null, reason: null });
  });

  it('trusts a valid signature more than the User-Agent and skips the address check', () => {
    const identification = identifySync({ ...agentHeaders('RangeBot', '198.51.100.1'), ...signedHeaders() });
    expect(identification).toMatchObject({
      result: 'verified',
      agent_token: 'SignBot',
      method: 'http_message_signature',
      evidence: { user_agent_token: 'RangeBot', steps: [{ method: 'http_message_signature', outcome: 'verified' }] },
    });
  });

  it('verifies a visit by address despite a bad signature, but reports the signature error', () => {
    const brokenSignature = { ...signedHeaders(), signature: `sig1=:${Buffer.alloc(64).toString('base64')}:` };
    const catalogAgent = { ...signer, verification: { ...signer.verification, ip_ranges: ['192.0.2.0/24'] } };
    const known = (address: string) =>
      identifySync(
        { ...brokenSignature, 'x-forwarded-for': address },
        {
          catalog: {
            version: 'v1',
            matcher: new AgentMatcher(agents),
            getAgentByDirectory: () => catalogAgent,
            getAddressEvidence: getAgentEvidence,
            findAddressOrigin: () => null,
          },
        },
      );
    expect(known('192.0.2.1')).toMatchObject({ result: 'verified', method: 'ip_range', reason: 'bad_signature' });
    expect(known('198.51.100.1')).toMatchObject({
      result: 'verification_failed',
      method: 'http_message_signature',
      reason: 'bad_signature',
    });
  });

  it('reports the address origin of an unknown agent without changing the result', () => {
    const origin = (raw: object) => {
      const { result, method, reason, evidence } = identifySync({ ...raw });
      return { result, method, reason, origin: evidence.address_origin };
    };
    const unknown = { result: 'unknown_agent', method: null, reason: null };
    expect(origin(agentHeaders('Firefox', '192.0.2.9'))).toEqual({
      ...unknown,
      // If several agents share a range, the origin is the agent with the shortest token.
      origin: {
        agent_token: 'OldBot',
        operator_name: 'Company',
        range: '192.0.2.0/24',
        list_url: null,
        as_of: '2026-01-01T00:00:00.000Z',
      },
    });
    expect(origin(agentHeaders('Firefox', '198.51.100.9'))).toEqual({ ...unknown, origin: undefined });
    expect(origin(agentHeaders('Firefox'))).toEqual({ ...unknown, origin: undefined });
    expect(origin(agentHeaders('NameBot', '192.0.2.9'))).toMatchObject({ result: 'verified', origin: undefined });
    // Unknown visitors share an evidence object, which must not contain an individual visitor's origin.
    expect(identifySync(agentHeaders('Firefox', '198.51.100.9')).evidence).not.toHaveProperty('address_origin');
  });

  it('never refutes a visit because its signer is unlisted', () => {
    const change = {
      catalog: {
        version: '',
        matcher: new AgentMatcher(agents),
        getAgentByDirectory: () => null,
        getAddressEvidence: () => null,
        findAddressOrigin: () => null,
      },
    };
    expect(identifySync({ ...agentHeaders('SignBot'), ...signedHeaders() }, change)).toMatchObject({
      result: 'not_verifiable',
      reason: 'signature_agent_not_listed',
    });
    expect(identifySync(signedHeaders(), change)).toMatchObject({ result: 'unknown_agent' });
  });

  it('checks a signature as of the request time, or as of the receipt time if the two are over a day apart', () => {
    const lateReport = { at: NOW - 3_600_000, receivedAt: NOW };
    expect(identifySync(signedHeaders(lateReport.at), lateReport)).toMatchObject({ result: 'verified' });
    const twoDayOldReport = { at: NOW - 2 * DAY, receivedAt: NOW };
    expect(identifySync(signedHeaders(twoDayOldReport.at), twoDayOldReport)).toMatchObject({
      result: 'verification_failed',
      reason: 'expired',
    });
    expect(identifySync(signedHeaders(NOW), twoDayOldReport)).toMatchObject({ result: 'verified' });
  });

  it('does not refute a visit by address while the keys are being fetched', () => {
    const signerWithRanges = { ...signer, verification: { ...signer.verification, ip_ranges: ['192.0.2.0/24'] } };
    const identifyWithFault = (fault: 'directory_pending' | 'key_not_in_directory', address = '198.51.100.1') =>
      identifySync(
        { ...signedHeaders(), 'x-forwarded-for': address },
        {
          sources: { ...sources, directories: { find: () => ({ fault }) } },
          catalog: {
            version: 'v1',
            matcher: new AgentMatcher(agents),
            getAgentByDirectory: () => signerWithRanges,
            getAddressEvidence: getAgentEvidence,
            findAddressOrigin: () => null,
          },
        },
      );
    expect(identifyWithFault('directory_pending')).toMatchObject({
      result: 'not_verifiable',
      reason: 'directory_pending',
    });
    expect(identifyWithFault('directory_pending', '192.0.2.1')).toMatchObject({
      result: 'verified',
      method: 'ip_range',
    });
    expect(identifyWithFault('key_not_in_directory')).toMatchObject({
      result: 'verification_failed',
      method: 'ip_range',
    });
  });

  it('can verify a visit that is more than a week old, but never refutes it', () => {
    const eightDaysAgo = { at: NOW - 8 * DAY };
    expect(identifySync(agentHeaders('RangeBot', '198.51.100.1'), eightDaysAgo)).toMatchObject({
      result: 'not_verifiable',
      reason: 'visit_too_old',
    });
    expect(identifySync(agentHeaders('RangeBot', '192.0.2.1'), eightDaysAgo)).toMatchObject({ result: 'verified' });
  });

  it('waits for missing evidence unless only cached evidence is allowed', async () => {
    const asyncSources: EvidenceSources = {
      directories: { find: async (url, id) => sources.directories.find(url, id) },
      dns: {
        hostNames: async (address) => sources.dns.hostNames(address),
        addresses: async (name, family) => sources.dns.addresses(name, family),
      },
    };
    const pendingResult = identifyRequest(agentHeaders('NameBot', '198.51.100.9'), { sources: asyncSources });
    expect(pendingResult).toBeInstanceOf(Promise);
    expect(await pendingResult).toMatchObject({ result: 'verified' });
    expect(identifySync(agentHeaders('NameBot', '198.51.100.9'), { sources: cachedOnly(asyncSources) })).toMatchObject({
      result: 'not_verifiable',
      reason: 'dns_pending',
    });
    expect(await identifyRequest(signedHeaders(), { sources: asyncSources })).toMatchObject({ result: 'verified' });
    expect(identifySync(signedHeaders(), { sources: cachedOnly(asyncSources) })).toMatchObject({
      reason: 'directory_pending',
    });
  });

  it('verifies agents that run inside a proxy network, but never refutes a visit by its addresses', () => {
    const network = { operator: 'Net', ranges: ['192.0.2.0/24'], client_address_header: null };
    const networks = compileProxyNetworks([network as never]);
    const resultFor = (userAgent: string, headers: Record<string, string>, peer: string | null) => {
      const raw = { ...agentHeaders(userAgent), ...headers };
      const found = resolveClientAddress(normalizeHeaders(raw), {}, networks, peer);
      return identifySync(raw, { clientAddress: found }).result;
    };
    expect(resultFor('RangeBot', {}, '192.0.2.7')).toBe('verified');
    expect(resultFor('RangeBot', { 'X-Forwarded-For': '192.0.2.7' }, null)).toBe('verified');
    expect(resultFor('RangeBot', { 'X-Forwarded-For': '192.0.2.7, 10.0.0.1' }, '10.0.0.2')).toBe('verified');
    expect(resultFor('RangeBot', { 'X-Forwarded-For': '198.51.100.1, 192.0.2.7' }, '10.0.0.2')).toBe(
      'verification_failed',
    );
    expect(resultFor('RangeBot', {}, '10.0.0.2')).toBe('not_verifiable');
    expect(resultFor('NameBot', { 'X-Forwarded-For': '192.0.2.7' }, null)).toBe('not_verifiable');
  });
});
