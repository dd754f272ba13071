import { generateKeyPairSync } from 'node:crypto';
import { compileAddressEvidence } from './address-evidence.js';
import { compileAddressOrigins } from './address-origin.js';
import type { AgentDefinition } from './agent.js';
import { AgentMatcher } from './agent.matcher.js';
import { clientAddress } from './client-address.js';
import { cachedOnly, type DnsAnswer, type EvidenceSources } from './evidence-sources.js';
import { normalizeHeaders } from './headers.js';
import { identify, type Identification, type IdentificationContext } from './identification.js';
import { readKeySet } from './web-bot-auth/key-set.js';
import { compileProxyNetworks } from './proxy-networks.js';
import { webBotAuthSignature } from './web-bot-auth/signed-request.js';

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
const keys = readKeySet({ keys: [publicKey.export({ format: 'jwk' })] });
const names: Record<string, DnsAnswer> = {
  '192.0.2.9': { values: ['a.crawl.example'] },
  '198.51.100.9': { values: ['b.crawl.example'] },
  '198.51.100.8': { values: ['b.crawl.example'] },
  '198.51.100.7': { fault: 'dns_timeout' },
};
const addresses: Record<string, DnsAnswer> = {
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

const addressesOfAgent = (one: AgentDefinition) => compileAddressEvidence(one, () => undefined);

function ask(
  raw: Record<string, unknown>,
  change: Partial<IdentificationContext> & { at?: number; receivedAt?: number } = {},
) {
  const headers = normalizeHeaders(raw);
  const context: IdentificationContext = {
    catalog: {
      version: 'v1',
      matcher: new AgentMatcher(agents),
      agentOfDirectory: (url) => (url === SIGNER ? signer : null),
      addressesOf: addressesOfAgent,
      originOf: compileAddressOrigins(agents, addressesOfAgent),
    },
    clientAddress: clientAddress(headers, {}, compileProxyNetworks([])),
    sources,
    hostNames: [],
    allowTestKeys: false,
    now: NOW,
    ...change,
  };
  const { at = NOW, receivedAt = at } = change;
  return identify({ headers, method: 'GET', path: '/', at, receivedAt }, context);
}

const now = (raw: Record<string, unknown>, change = {}) => ask(raw, change) as Identification;
const from = (userAgent: string, address?: string) => ({
  'User-Agent': `Mozilla/5.0 (compatible; ${userAgent}/1.2)`,
  ...(address !== undefined && { 'X-Forwarded-For': address }),
});
const signed = (at = NOW) => ({
  ...webBotAuthSignature({
    url: 'https://site.example/',
    method: 'GET',
    key: privateKey,
    signatureAgent: 'https://signer.example',
    now: at,
    lifetime: 300,
  }),
  host: 'site.example',
});

describe('identify', () => {
  it('returns the agent of the User-Agent and the method that decided', () => {
    expect(now(from('rangebot', '192.0.2.1'))).toMatchObject({
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
    // One passing method verifies. Refuting requires both to fail, and a timeout never refutes.
    ['BothBot', '198.51.100.9', 'verified', 'reverse_dns', null],
    ['BothBot', '198.51.100.1', 'verification_failed', 'reverse_dns', 'no_host_name'],
    ['BothBot', '198.51.100.7', 'not_verifiable', null, 'dns_timeout'],
    // An outdated list cannot refute a visit, but DNS can.
    ['OldBot', '192.0.2.1', 'verified', 'ip_range', null],
    ['OldBot', '198.51.100.1', 'verification_failed', 'reverse_dns', 'no_host_name'],
    ['SignBot', '198.51.100.1', 'not_verifiable', null, 'no_signature'],
    ['curl', '198.51.100.1', 'unknown_agent', null, null],
  ])('judges %s from %s as %s', (userAgent, address, result, method, reason) => {
    expect(now(from(userAgent, address))).toMatchObject({ result, method, reason });
  });

  it('relies on the address ranges if DNS is turned off', () => {
    const off = { fault: 'dns_off' } as const;
    const change = { sources: { ...sources, dns: { hostNames: () => off, addresses: () => off } } };
    expect(now(from('BothBot', '198.51.100.1'), change)).toMatchObject({
      result: 'verification_failed',
      method: 'ip_range',
    });
    expect(now(from('NameBot', '198.51.100.1'), change)).toMatchObject({ result: 'not_verifiable', reason: 'dns_off' });
  });

  it('returns null for unknown fields', () => {
    const known = now({ 'user-agent': 'curl/8.5.0' });
    expect(known).toMatchObject({
      result: 'not_verifiable',
      reason: 'no_method',
      operator_name: null,
      agent_url: null,
    });
    expect(now({})).toMatchObject({ result: 'unknown_agent', agent_id: null, reason: null });
  });

  it('trusts a valid signature over the User-Agent and skips the address check', () => {
    const identification = now({ ...from('RangeBot', '198.51.100.1'), ...signed() });
    expect(identification).toMatchObject({
      result: 'verified',
      agent_token: 'SignBot',
      method: 'http_message_signature',
      evidence: { user_agent_token: 'RangeBot', steps: [{ method: 'http_message_signature', outcome: 'verified' }] },
    });
  });

  it('verifies by address despite a bad signature, and reports the signature reason', () => {
    const broken = { ...signed(), signature: `sig1=:${Buffer.alloc(64).toString('base64')}:` };
    const catalogAgent = { ...signer, verification: { ...signer.verification, ip_ranges: ['192.0.2.0/24'] } };
    const known = (address: string) =>
      now(
        { ...broken, 'x-forwarded-for': address },
        {
          catalog: {
            version: 'v1',
            matcher: new AgentMatcher(agents),
            agentOfDirectory: () => catalogAgent,
            addressesOf: addressesOfAgent,
            originOf: () => null,
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

  it('reports the address origin of an unknown agent without changing the verdict', () => {
    const origin = (raw: object) => {
      const { result, method, reason, evidence } = now({ ...raw });
      return { result, method, reason, origin: evidence.address_origin };
    };
    const unknown = { result: 'unknown_agent', method: null, reason: null };
    expect(origin(from('Firefox', '192.0.2.9'))).toEqual({
      ...unknown,
      // If agents share a range, the one with the shortest name is the origin.
      origin: {
        agent_token: 'OldBot',
        operator_name: 'Company',
        range: '192.0.2.0/24',
        list_url: null,
        as_of: '2026-01-01T00:00:00.000Z',
      },
    });
    expect(origin(from('Firefox', '198.51.100.9'))).toEqual({ ...unknown, origin: undefined });
    expect(origin(from('Firefox'))).toEqual({ ...unknown, origin: undefined });
    expect(origin(from('NameBot', '192.0.2.9'))).toMatchObject({ result: 'verified', origin: undefined });
    // Unknown visitors share their evidence, so an origin must not leak into it.
    expect(now(from('Firefox', '198.51.100.9')).evidence).not.toHaveProperty('address_origin');
  });

  it('never refutes a visit because of an unlisted signer', () => {
    const change = {
      catalog: {
        version: '',
        matcher: new AgentMatcher(agents),
        agentOfDirectory: () => null,
        addressesOf: () => null,
        originOf: () => null,
      },
    };
    expect(now({ ...from('SignBot'), ...signed() }, change)).toMatchObject({
      result: 'not_verifiable',
      reason: 'signature_agent_not_listed',
    });
    expect(now(signed(), change)).toMatchObject({ result: 'unknown_agent' });
  });

  it('judges a signature at the time of the request, or of receipt if they are over a day apart', () => {
    const late = { at: NOW - 3_600_000, receivedAt: NOW };
    expect(now(signed(late.at), late)).toMatchObject({ result: 'verified' });
    const older = { at: NOW - 2 * DAY, receivedAt: NOW };
    expect(now(signed(older.at), older)).toMatchObject({ result: 'verification_failed', reason: 'expired' });
    expect(now(signed(NOW), older)).toMatchObject({ result: 'verified' });
  });

  it('does not refute by address while the keys are being fetched', () => {
    const listed = { ...signer, verification: { ...signer.verification, ip_ranges: ['192.0.2.0/24'] } };
    const judged = (fault: 'directory_pending' | 'key_not_in_directory', address = '198.51.100.1') =>
      now(
        { ...signed(), 'x-forwarded-for': address },
        {
          sources: { ...sources, directories: { find: () => ({ fault }) } },
          catalog: {
            version: 'v1',
            matcher: new AgentMatcher(agents),
            agentOfDirectory: () => listed,
            addressesOf: addressesOfAgent,
            originOf: () => null,
          },
        },
      );
    expect(judged('directory_pending')).toMatchObject({ result: 'not_verifiable', reason: 'directory_pending' });
    expect(judged('directory_pending', '192.0.2.1')).toMatchObject({ result: 'verified', method: 'ip_range' });
    expect(judged('key_not_in_directory')).toMatchObject({ result: 'verification_failed', method: 'ip_range' });
  });

  it('can verify a visit older than a week, but never refutes it', () => {
    const old = { at: NOW - 8 * DAY };
    expect(now(from('RangeBot', '198.51.100.1'), old)).toMatchObject({
      result: 'not_verifiable',
      reason: 'visit_too_old',
    });
    expect(now(from('RangeBot', '192.0.2.1'), old)).toMatchObject({ result: 'verified' });
  });

  it('waits for missing evidence, or returns without it if only the cache is allowed', async () => {
    const slow: EvidenceSources = {
      directories: { find: async (url, id) => sources.directories.find(url, id) },
      dns: {
        hostNames: async (address) => sources.dns.hostNames(address),
        addresses: async (name, family) => sources.dns.addresses(name, family),
      },
    };
    const answer = ask(from('NameBot', '198.51.100.9'), { sources: slow });
    expect(answer).toBeInstanceOf(Promise);
    expect(await answer).toMatchObject({ result: 'verified' });
    expect(now(from('NameBot', '198.51.100.9'), { sources: cachedOnly(slow) })).toMatchObject({
      result: 'not_verifiable',
      reason: 'dns_pending',
    });
    expect(await ask(signed(), { sources: slow })).toMatchObject({ result: 'verified' });
    expect(now(signed(), { sources: cachedOnly(slow) })).toMatchObject({ reason: 'directory_pending' });
  });

  it('verifies agents that run inside a proxy network, but refutes nobody by its addresses', () => {
    const network = { operator: 'Net', ranges: ['192.0.2.0/24'], client_address_header: null };
    const networks = compileProxyNetworks([network as never]);
    const of = (userAgent: string, headers: Record<string, string>, peer: string | null) => {
      const raw = { ...from(userAgent), ...headers };
      const found = clientAddress(normalizeHeaders(raw), {}, networks, peer);
      return now(raw, { clientAddress: found }).result;
    };
    expect(of('RangeBot', {}, '192.0.2.7')).toBe('verified');
    expect(of('RangeBot', { 'X-Forwarded-For': '192.0.2.7' }, null)).toBe('verified');
    expect(of('RangeBot', { 'X-Forwarded-For': '192.0.2.7, 10.0.0.1' }, '10.0.0.2')).toBe('verified');
    expect(of('RangeBot', { 'X-Forwarded-For': '198.51.100.1, 192.0.2.7' }, '10.0.0.2')).toBe('verification_failed');
    expect(of('RangeBot', {}, '10.0.0.2')).toBe('not_verifiable');
    expect(of('NameBot', { 'X-Forwarded-For': '192.0.2.7' }, null)).toBe('not_verifiable');
  });
});
