import agents from '../data/agents.json' with { type: 'json' };
import { checkAgent, checkAgents } from './agents-file.js';
import { bundledCatalog } from './bundled-catalog.js';
import type { AgentRecord } from './catalog.js';

const record = (changes: object = {}): AgentRecord => ({
  token: 'ShopBot',
  type: 'Fetcher',
  operator: 'Shop',
  url: 'https://shop.example/bot',
  user_agent_patterns: ['\\bShopBot\\b'],
  robots_token: 'ShopBot',
  verification: {},
  ...changes,
});
const faultsOf = (changes: object, others: AgentRecord[] = []): string[] =>
  checkAgents([record(changes)], { others }).faults.map(({ pointer, detail }) => `${pointer} ${detail}`);
const withVerification = (verification: object): string[] => faultsOf({ verification });

it('accepts the bundled agents', () => {
  expect(checkAgents(agents)).toEqual({ records: agents, faults: [] });
});

it('creates samples for plain patterns and requires them for others', () => {
  const plain = record({ user_agent_patterns: ['\\bShopBot\\/', 'Shop\\.Bot$'] });
  expect(checkAgents([plain], { others: [] }).records).toEqual([
    { ...plain, sample_user_agents: ['ShopBot/', 'Shop.Bot'] },
  ]);
  expect(faultsOf({ user_agent_patterns: ['ShopBot', 'Shop(?:ping)?Bot'] })).toEqual([
    '/0/sample_user_agents is required: give a User-Agent that the pattern Shop(?:ping)?Bot matches',
  ]);
  expect(faultsOf({ sample_user_agents: [] })).toEqual([
    '/0/sample_user_agents must contain one for each pattern, in the same order (got 0 for 1)',
  ]);
});

it('does not check the items of a list that is too long', () => {
  expect(faultsOf({ user_agent_patterns: Array(1_000).fill('(a+)+') })).toEqual([
    expect.stringContaining('/0/user_agent_patterns '),
  ]);
});

it('reports all shape faults and still checks the valid fields', () => {
  expect(checkAgents({}).faults).toEqual([{ pointer: '', detail: 'must be a list of agents' }]);
  const { faults } = checkAgents([
    'GPTBot',
    { ...record({ typ: 'x', type: 'Robot', operator: 7, url: 'ftp://shop.example' }), robots_token: undefined },
  ]);
  expect(faults.map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual([
    '/0 must be object',
    '/1/robots_token is required',
    '/1/typ is not a known field',
    expect.stringMatching(/^\/1\/type must be one of: AI Agent, .*, Uncategorized$/),
    '/1/operator must be string',
    '/1/url must be an http or https address',
  ]);
});

it('rejects a list that is too long before it checks the agents', () => {
  expect(checkAgents(Array(10_001).fill(0)).faults).toEqual([
    { pointer: '', detail: 'must have at most 10000 agents, not 10001: split the file' },
  ]);
  expect(checkAgents(Array(10_000).fill(0)).faults).toHaveLength(10_000);
});

it('rejects a duplicate token, ignoring case', () => {
  const { records, faults } = checkAgents([record(), record({ token: 'shopbot', user_agent_patterns: ['Other'] })]);
  expect(faults).toEqual([{ pointer: '/1/token', detail: 'must be unique, and is the token of /0 too' }]);
  expect(records.map(({ token }) => token)).toEqual(['ShopBot']);
});

it('rejects patterns that are unsupported or may be slow', () => {
  expect(faultsOf({ user_agent_patterns: ['ShopBot', 'Shop(', '.*Shop.*Bot', 'Sh'] })).toEqual([
    '/0/user_agent_patterns/1 has a capturing group "(" at position 5: write (?: instead',
    expect.stringMatching(/^\/0\/user_agent_patterns\/2 has .* repetition/),
    '/0/user_agent_patterns/3 must contain a literal text of at least 3 characters',
  ]);
});

it('rejects samples that match no agent or another one, and overlapping patterns', () => {
  expect(faultsOf({ sample_user_agents: ['Shop/1.0'] })).toEqual([
    '/0/sample_user_agents/0 must be a User-Agent that its pattern \\bShopBot\\b matches',
  ]);
  expect(faultsOf({ sample_user_agents: ['ShopBot GoogleOther'] }, bundledCatalog().agents)).toEqual([
    '/0/sample_user_agents/0 is identified as GoogleOther instead: make its pattern more specific',
  ]);
  const wide = { user_agent_patterns: ['ShopBot', 'Mozilla\\/5\\.0 \\(compatible; '] };
  expect(faultsOf(wide, bundledCatalog().agents)).toEqual([
    expect.stringMatching(/^\/0\/user_agent_patterns\/1 also matches User-Agents of .+ and \d+ more, such as "Mozilla/),
  ]);
});

it('allows a record to replace the one with the same token', () => {
  const edited = record({ token: 'gptbot', user_agent_patterns: ['GPTBot-Next'] });
  expect(checkAgents([edited]).faults).toEqual([]);
  expect(checkAgents([record({ user_agent_patterns: ['GPTBot'] })]).faults[0]?.detail).toMatch(/GPTBot/);
});

it('rejects IP ranges and DNS suffixes that are too broad', () => {
  const ip_ranges = ['192.0.2.0/24', '2001:db8::/32', '192.0.2.7', '0.0.0.0/0', '2000::/3', '192.0.2.0/33', 'host'];
  expect(withVerification({ ip_ranges, ip_ranges_as_of: '2026-02-30' })).toEqual([
    '/0/verification/ip_ranges/3 is too wide: the prefix must be /8 or longer',
    '/0/verification/ip_ranges/4 is too wide: the prefix must be /16 or longer',
    '/0/verification/ip_ranges/5 must be a CIDR block such as 192.0.2.0/24 or 2001:db8::/32',
    '/0/verification/ip_ranges/6 must be a CIDR block such as 192.0.2.0/24 or 2001:db8::/32',
    '/0/verification/ip_ranges_as_of must be a date in the calendar, such as 2026-11-21',
  ]);
  expect(
    withVerification({ reverse_dns_suffixes: ['bots.shop.example', 'com', '.shop.example', 'a b.example'] }),
  ).toEqual(
    [1, 2, 3].map(
      (index) =>
        `/0/verification/reverse_dns_suffixes/${index} must be a host name of two labels or more, such as bots.example.com`,
    ),
  );
});

it('rejects addresses other than https and unsupported list formats', () => {
  const signature_agents = [
    'shop.example',
    'https://shop.example/keys',
    'http://shop.example',
    'shop.example/keys',
    'a b',
  ];
  expect(withVerification({ signature_agents })).toEqual(
    [2, 3, 4].map((index) => `/0/verification/signature_agents/${index} must be a host name or an https address`),
  );
  const ip_list_urls = ['json:$.ranges[*].cidr', 'text', 'xml', 'json:ranges', 'json:$..*..*'].map((format, index) => ({
    url: `${index === 1 ? 'http' : 'https'}://shop.example/${index}`,
    format,
  }));
  expect(withVerification({ ip_list_urls })).toEqual([
    '/0/verification/ip_list_urls/1/url must be an https address',
    '/0/verification/ip_list_urls/2/format must be one of: json-prefixes, json, text, csv-geofeed, unknown, json:<JSONPath>',
    expect.stringMatching(
      /^\/0\/verification\/ip_list_urls\/3\/format must be a JSONPath after json: it has "ranges" at position 1: /,
    ),
    expect.stringMatching(/^\/0\/verification\/ip_list_urls\/4\/format must be a JSONPath after json: it has "\.\.\*/),
  ]);
});

it('rejects tokens that would break robots.txt, and invisible characters', () => {
  for (const token of ['*', 'Shop#Bot', 'Shop\u2028Disallow: /', 'Shop\u2029Bot']) {
    expect(faultsOf({ robots_token: token })).toEqual([
      expect.stringMatching(/^\/0\/robots_token must (?:not )?contain /),
    ]);
  }
  expect(faultsOf({ robots_token: 'ShopBot\nDisallow: /', token: ' ShopBot', operator: 'Shop\ud800' })).toEqual([
    '/0/token must not start or end with a space',
    '/0/operator must not contain control characters',
    '/0/robots_token must not contain control characters',
  ]);
});

it('rejects contradictory fields', () => {
  expect(faultsOf({ user_agent_patterns: [] })).toEqual([
    '/0/user_agent_patterns must contain a pattern, unless robots_only or signature_only is true',
  ]);
  expect(faultsOf({ robots_only: true, robots_token: null })).toEqual([
    '/0/user_agent_patterns must be empty where robots_only is true',
    '/0/robots_token must be given where robots_only is true',
  ]);
  expect(faultsOf({ signature_only: true, user_agent_patterns: [] })).toEqual([
    '/0/verification/signature_agents must be given where signature_only is true',
  ]);
  expect(faultsOf({ framework: true, fallback_patterns: ['Shop'], excluded_prefixes: ['like ', 'é'] })).toEqual([
    '/0/excluded_prefixes/1 must contain only printable ASCII characters',
    '/0/fallback_patterns/0 must be one of user_agent_patterns',
    '/0/framework must be left out unless generic is true',
  ]);
  const sound = { generic: true, framework: true, fallback_patterns: ['\\bShopBot\\b'], excluded_prefixes: ['~'] };
  expect(faultsOf(sound)).toEqual([]);
});

it('checks a single agent with pointers relative to it', () => {
  expect(checkAgent(record({ token: '' })).faults.map(({ pointer }) => pointer)).toEqual(['/token']);
  expect(checkAgent(record({ sample_user_agents: ['Shop'] })).faults.map(({ pointer }) => pointer)).toEqual([
    '/sample_user_agents/0',
  ]);
  expect(checkAgent(record()).records).toHaveLength(1);
});
