import type { AgentListItem } from '#libs/contracts';
import { describeFault } from './agent-faults.js';
import { renderAgentTable, renderAgent } from './agent-text.js';

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

it('renders a table of agents with their verification methods', () => {
  const own: AgentListItem = {
    ...agent,
    token: 'Own',
    operator: null,
    verification: {},
    origin: 'own',
    is_edited: false,
  };
  expect(renderAgentTable([agent, own])).toBe(
    `TOKEN    TYPE     OPERATOR     VERIFIED BY                       ORIGIN
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
    '                  192.0.2.7/32\n                  and 4 more as of 2026-11-21; use --json to show all',
  );
  expect(text).not.toContain('192.0.2.8/32');
  expect(renderAgent({ ...agent, verification: {} })).toContain('The catalog contains no way to verify');
  const faults = [{ pointer: '/user_agent_patterns/1', detail: 'has "\u001b"' }];
  expect(renderAgent({ ...agent, faults, excluded_prefixes: ['like '] })).toMatch(
    /Excluded prefixes "like "\n[^]*\nThe patterns still work, but this agent can only be saved after you fix these errors:\n\/user_agent_patterns\/1 has "\\x1b"$/,
  );
  expect(renderAgent({ ...agent, verification: { ip_ranges: ['192.0.2.7'] } })).toContain(
    'Address ranges    192.0.2.7',
  );
});

it("adds the agent's token to the pointer in each validation fault", () => {
  const fault = { pointer: '/1/token', detail: 'is\nlong' };
  expect(describeFault(fault, [{}, { token: 'ShopBot' }])).toBe('/1/token (ShopBot) is\\x0along');
  expect(describeFault({ ...fault, pointer: '' }, [])).toBe('/ is\\x0along');
});
