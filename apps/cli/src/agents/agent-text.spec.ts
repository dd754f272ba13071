import type { AgentListItem } from '#libs/contracts';
import { describeFault } from './agent-faults.js';
import { agentTable, renderAgent } from './agent-text.js';

const agent: AgentListItem = {
  id: 'd71f20a7-654a-5091-93d7-c783f37c5200',
  token: 'ShopBot',
  type: 'Fetcher',
  operator: 'Shop\u001b[2J',
  url: null,
  user_agent_patterns: ['ShopBot', 'ShopFetch'],
  sample_user_agents: ['ShopBot', 'ShopFetch'],
  robots_token: 'ShopBot',
  verification: {
    ip_ranges: Array.from({ length: 12 }, (_, index) => `192.0.2.${index}/32`),
    ip_ranges_as_of: '2026-11-21',
    reverse_dns_suffixes: ['shop.example'],
  },
  origin: 'bundled',
  is_edited: true,
  changed_at: '2026-11-20T08:30:00.000Z',
};

it('lists agents with their verification methods', () => {
  const own: AgentListItem = {
    ...agent,
    token: 'Own',
    operator: null,
    verification: {},
    origin: 'own',
    is_edited: false,
  };
  expect(agentTable([agent, own])).toBe(
    `TOKEN    TYPE     OPERATOR     PROVEN BY                         ORIGIN
ShopBot  Fetcher  Shop\\x1b[2J  published addresses, reverse DNS  bundled, edited
Own      Fetcher  -            -                                 own`,
  );
});

it('renders an agent with only its first eight address ranges', () => {
  const text = renderAgent(agent);
  expect(text).toContain('Operator          Shop\\x1b[2J\n');
  expect(text).toContain('Patterns          ShopBot\n                  ShopFetch\n');
  expect(text).toContain('Host names        shop.example, *.shop.example\n');
  expect(text).toContain(
    '                  192.0.2.7/32\n                  and 4 more as of 2026-11-21; all with --json',
  );
  expect(text).not.toContain('192.0.2.8/32');
  expect(renderAgent({ ...agent, verification: {} })).toContain('The catalog lists no way to verify');
  const faults = [{ pointer: '/user_agent_patterns/1', detail: 'has "\u001b"' }];
  expect(renderAgent({ ...agent, faults, excluded_prefixes: ['like '] })).toMatch(
    /Not after {9}"like "\n[^]*\nIts patterns still work, but cannot be saved as they are:\n\/user_agent_patterns\/1 has "\\x1b"$/,
  );
  expect(renderAgent({ ...agent, verification: { ip_ranges: ['192.0.2.7'] } })).toContain(
    'Address ranges    192.0.2.7',
  );
});

it('adds the token of the agent to the pointer of a fault', () => {
  const fault = { pointer: '/1/token', detail: 'is\nlong' };
  expect(describeFault(fault, [{}, { token: 'ShopBot' }])).toBe('/1/token (ShopBot) is\\x0along');
  expect(describeFault({ ...fault, pointer: '' }, [])).toBe('/ is\\x0along');
});
