import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAddress } from '#libs/agents';
import { compileCatalog, createCatalog, getBundledCatalog, type AgentRecord } from '#libs/catalog';
import { LIMIT_SERVERS, type PolicyRule } from '#libs/contracts';
import { agentLimits } from './agent-limits.js';
import { policyLimits } from './index.js';
import { verifiedRanges } from './verified-ranges.js';

const record = (token: string, ranges: string[], parts: Partial<AgentRecord> = {}): AgentRecord => ({
  token,
  type: 'Fetcher',
  operator: null,
  url: null,
  user_agent_patterns: [token.slice(0, 5)],
  sample_user_agents: [token],
  robots_token: null,
  verification: ranges.length === 0 ? {} : { ip_ranges: ranges },
  ...parts,
});
const catalog = compileCatalog(
  createCatalog({
    agents: [
      record('Alpha', ['192.0.2.0/24', '2001:db8::/32']),
      record('Bravo" ${x}', ['192.0.2.0/25', '198.51.100.0/24']),
      record('Delta', ['2001:db8::/32', '192.0.2.0/24']),
      record('Gamma', []),
      record('Alpha-Image', [], { user_agent_patterns: ['Alpha-Image'] }),
    ],
    proxies: [],
  }),
);
const rule = (name: string, parts: Partial<PolicyRule> = {}): PolicyRule => ({
  id: '018f0000-0000-7000-8000-000000000001',
  name,
  mode: 'live',
  action: { kind: 'slow_down', requests_per_minute: 60 },
  ...parts,
});
const RULES = [
  rule('Images', { visitors: { agent_tokens: ['Alpha-Image'] }, action: { kind: 'allow' } }),
  rule('Spoofers', {
    visitors: { results: ['verification_failed'] },
    action: { kind: 'slow_down', requests_per_minute: 7 },
  }),
  rule('All'),
];

describe.each(LIMIT_SERVERS)('%s', (server) => {
  it('renders the same files as the golden ones', () => {
    for (const { name, text } of policyLimits(RULES, server, catalog).files) {
      expect([name, text]).toEqual([name, readFileSync(join(import.meta.dirname, 'golden', name), 'utf8')]);
    }
  });
});

it('uses the first live rule that depends on nothing but the agent', () => {
  const paths = { paths: ['/docs'] };
  const { limits, ignoredRules } = agentLimits(
    [
      rule('Paths', { requests: paths }),
      rule('Refused', { requests: paths, action: { kind: 'refuse' } }),
      rule('Dry', { mode: 'dry_run', requests: paths }),
      rule('Likely', { visitors: { likely_automated: true } }),
      rule('Verified', {
        visitors: { agent_tokens: ['alpha'], results: ['verified'] },
        action: { kind: 'slow_down', requests_per_minute: 100 },
      }),
      rule('Some', {
        visitors: { agent_tokens: ['Alpha', 'Gamma', 'Delta'] },
        exceptions: [
          { id: '', visitors: { agent_tokens: ['Delta'] }, action: { kind: 'refuse' } },
          { id: '', requests: paths, action: { kind: 'allow' } },
        ],
      }),
    ],
    catalog,
  );
  expect(limits.map(({ agent, verified, unverified }) => [agent.token, verified, unverified])).toEqual([
    ['Alpha', 100, 60],
    ['Gamma', 0, 60],
  ]);
  expect(ignoredRules).toEqual(['Paths', 'Likely', 'Some']);
});

it('finds the same ranges as the identification engine', () => {
  const bundled = compileCatalog(getBundledCatalog());
  const agents = [...bundled.byId.values()];
  const { listByAgent, ranges } = verifiedRanges(agents, bundled);
  // Each range starts at an address that it decides about, unless a more specific range starts there.
  const byFirst = new Map(ranges.map(({ range, lists }) => [range.split('/')[0]!, lists]));
  const differing = [...byFirst].flatMap(([first, lists]) =>
    agents
      .filter((agent) => {
        const sources = bundled.getAddressEvidence(agent)?.sources ?? [];
        const isVerified = sources.some(({ index }) => index.find(parseAddress(first)!) !== null);
        return isVerified !== lists.includes(listByAgent.get(agent) ?? 0);
      })
      .map(({ token }) => [first, token]),
  );
  expect(differing).toEqual([]);
  expect(byFirst.size).toBeGreaterThan(1_000);
});
