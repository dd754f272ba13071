import agents from '../data/agents.json' with { type: 'json' };
import { checkAgent, checkAgents } from './agents-file.js';
import { getBundledCatalog } from './bundled-catalog.js';
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
const getFaults = async (changes: object, others: AgentRecord[] = []): Promise<string[]> => {
  const { faults } = await checkAgents([record(changes)], { others });
  return faults.map(({ pointer, detail }) => `${pointer} ${detail}`);
};
const getVerificationFaults = (verification: object): Promise<string[]> => getFaults({ verification });

it('accepts the bundled agents', async () => {
  expect(await checkAgents(agents)).toEqual({ records: agents, faults: [] });
});

it('generates samples for plain-text patterns and requires them for others', async () => {
  const plain = record({ user_agent_patterns: ['\\bShopBot\\/', 'Shop\\.Bot$'] });
  expect((await checkAgents([plain], { others: [] })).records).toEqual([
    { ...plain, sample_user_agents: ['ShopBot/', 'Shop.Bot'] },
  ]);
  expect(await getFaults({ user_agent_patterns: ['ShopBot', 'Shop(?:ping)?Bot'] })).toEqual([
    '/0/sample_user_agents is required: add a User-Agent that matches the pattern Shop(?:ping)?Bot',
  ]);
  expect(await getFaults({ sample_user_agents: [] })).toEqual([
    '/0/sample_user_agents must contain one sample per pattern, in the same order (got 0, expected 1)',
  ]);
});

it('skips all items in a list that is too long', async () => {
  expect(await getFaults({ user_agent_patterns: Array(1_000).fill('(a+)+') })).toEqual([
    expect.stringContaining('/0/user_agent_patterns '),
  ]);
});

it('reports all structural faults and still checks the valid fields', async () => {
  expect((await checkAgents({})).faults).toEqual([{ pointer: '', detail: 'must be a list of agents' }]);
  const { faults } = await checkAgents([
    'GPTBot',
    { ...record({ typ: 'x', type: 'Robot', operator: 7, url: 'ftp://shop.example' }), robots_token: undefined },
  ]);
  expect(faults.map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual([
    '/0 must be object',
    '/1/robots_token is required',
    '/1/typ is not a known field',
    expect.stringMatching(/^\/1\/type must be one of: AI Agent, .*, Uncategorized$/),
    '/1/operator must be string',
    '/1/url must be an http or https URL',
  ]);
});

it('rejects a list that is too long without checking its agents', async () => {
  expect((await checkAgents(Array(10_001).fill(0))).faults).toEqual([
    { pointer: '', detail: 'must contain at most 10000 agents (got 10001): split the file' },
  ]);
  expect((await checkAgents(Array(10_000).fill(0))).faults).toHaveLength(10_000);
});

it('rejects a duplicate token, ignoring case', async () => {
  const { records, faults } = await checkAgents([
    record(),
    record({ token: 'shopbot', user_agent_patterns: ['Other'] }),
  ]);
  expect(faults).toEqual([{ pointer: '/1/token', detail: 'must be unique, but /0 has the same token' }]);
  expect(records.map(({ token }) => token)).toEqual(['ShopBot']);
});

it('rejects patterns that are unsupported or may be slow', async () => {
  expect(await getFaults({ user_agent_patterns: ['ShopBot', 'Shop(', '.*Shop.*Bot', 'Sh'] })).toEqual([
    '/0/user_agent_patterns/1 has a capturing group "(" at position 5: write (?: instead',
    expect.stringMatching(/^\/0\/user_agent_patterns\/2 has .* repetition/),
    '/0/user_agent_patterns/3 must contain at least 3 consecutive literal characters',
  ]);
});

it('rejects samples that identify no agent or the wrong one, and overlapping patterns', async () => {
  expect(await getFaults({ sample_user_agents: ['Shop/1.0'] })).toEqual([
    '/0/sample_user_agents/0 must be a User-Agent that matches its pattern \\bShopBot\\b',
  ]);
  expect(await getFaults({ sample_user_agents: ['ShopBot GoogleOther'] }, getBundledCatalog().agents)).toEqual([
    '/0/sample_user_agents/0 is identified as GoogleOther instead: make the pattern more specific',
  ]);
  const wide = { user_agent_patterns: ['ShopBot', 'Mozilla\\/5\\.0 \\(compatible; '] };
  expect(await getFaults(wide, getBundledCatalog().agents)).toEqual([
    expect.stringMatching(/^\/0\/user_agent_patterns\/1 also matches User-Agents of .+ and \d+ more, such as "Mozilla/),
  ]);
});

it('lets a record replace the agent with the same token', async () => {
  const edited = record({ token: 'gptbot', user_agent_patterns: ['GPTBot-Next'] });
  expect((await checkAgents([edited])).faults).toEqual([]);
  expect((await checkAgents([record({ user_agent_patterns: ['GPTBot'] })])).faults[0]?.detail).toMatch(/GPTBot/);
});

it('rejects IP ranges and DNS suffixes that are too broad', async () => {
  const ip_ranges = ['192.0.2.0/24', '2001:db8::/32', '192.0.2.7', '0.0.0.0/0', '2000::/3', '192.0.2.0/33', 'host'];
  expect(await getVerificationFaults({ ip_ranges, ip_ranges_as_of: '2026-02-30' })).toEqual([
    '/0/verification/ip_ranges/3 is too wide: the prefix must be /8 or longer',
    '/0/verification/ip_ranges/4 is too wide: the prefix must be /16 or longer',
    '/0/verification/ip_ranges/5 must be a CIDR block such as 192.0.2.0/24 or 2001:db8::/32',
    '/0/verification/ip_ranges/6 must be a CIDR block such as 192.0.2.0/24 or 2001:db8::/32',
    '/0/verification/ip_ranges_as_of must be a valid date, such as 2026-11-21',
  ]);
  expect(
    await getVerificationFaults({ reverse_dns_suffixes: ['bots.shop.example', 'com', '.shop.example', 'a b.example'] }),
  ).toEqual(
    [1, 2, 3].map(
      (index) =>
        `/0/verification/reverse_dns_suffixes/${index} must be a host name with at least two labels, such as bots.example.com`,
    ),
  );
});

it('rejects URLs other than https and unsupported list formats', async () => {
  const signature_agents = [
    'shop.example',
    'https://shop.example/keys',
    'http://shop.example',
    'shop.example/keys',
    'a b',
  ];
  expect(await getVerificationFaults({ signature_agents })).toEqual(
    [2, 3, 4].map((index) => `/0/verification/signature_agents/${index} must be a host name or an https URL`),
  );
  const ip_list_urls = ['json:$.ranges[*].cidr', 'text', 'xml', 'json:ranges', 'json:$..*..*'].map((format, index) => ({
    url: `${index === 1 ? 'http' : 'https'}://shop.example/${index}`,
    format,
  }));
  expect(await getVerificationFaults({ ip_list_urls })).toEqual([
    '/0/verification/ip_list_urls/1/url must be an https URL',
    '/0/verification/ip_list_urls/2/format must be one of: json-prefixes, json, text, csv-geofeed, unknown, json:<JSONPath>',
    expect.stringMatching(
      /^\/0\/verification\/ip_list_urls\/3\/format must be json:<JSONPath>, but the path has unexpected "ranges" at position 1: /,
    ),
    expect.stringMatching(
      /^\/0\/verification\/ip_list_urls\/4\/format must be json:<JSONPath>, but the path has unexpected "\.\.\*/,
    ),
  ]);
});

it('rejects invisible characters and tokens that would break robots.txt', async () => {
  for (const token of ['*', 'Shop#Bot', 'Shop\u2028Disallow: /', 'Shop\u2029Bot']) {
    expect(await getFaults({ robots_token: token })).toEqual([
      expect.stringMatching(/^\/0\/robots_token must (?:not )?contain /),
    ]);
  }
  expect(await getFaults({ robots_token: 'ShopBot\nDisallow: /', token: ' ShopBot', operator: 'Shop\ud800' })).toEqual([
    '/0/token must not start or end with a space',
    '/0/operator must not contain control characters',
    '/0/robots_token must not contain control characters',
  ]);
});

it('rejects contradictory fields in an agent', async () => {
  expect(await getFaults({ user_agent_patterns: [] })).toEqual([
    '/0/user_agent_patterns must contain a pattern unless robots_only or signature_only is true',
  ]);
  expect(await getFaults({ robots_only: true, robots_token: null })).toEqual([
    '/0/user_agent_patterns must be empty when robots_only is true',
    '/0/robots_token is required when robots_only is true',
  ]);
  expect(await getFaults({ signature_only: true, user_agent_patterns: [] })).toEqual([
    '/0/verification/signature_agents is required when signature_only is true',
  ]);
  expect(await getFaults({ framework: true, fallback_patterns: ['Shop'], excluded_prefixes: ['like ', 'é'] })).toEqual([
    '/0/excluded_prefixes/1 must contain only printable ASCII characters',
    '/0/fallback_patterns/0 must also be listed in user_agent_patterns',
    '/0/framework must be omitted unless generic is true',
  ]);
  const validFields = {
    generic: true,
    framework: true,
    fallback_patterns: ['\\bShopBot\\b'],
    excluded_prefixes: ['~'],
  };
  expect(await getFaults(validFields)).toEqual([]);
});

it('returns pointers relative to the agent when it checks a single agent', async () => {
  expect((await checkAgent(record({ token: '' }))).faults.map(({ pointer }) => pointer)).toEqual(['/token']);
  expect((await checkAgent(record({ sample_user_agents: ['Shop'] }))).faults.map(({ pointer }) => pointer)).toEqual([
    '/sample_user_agents/0',
  ]);
  expect((await checkAgent(record())).records).toHaveLength(1);
});

it.each([
  [
    'many agents',
    Array.from({ length: 8_000 }, (_, index) =>
      record({ token: `Zyx ${index}`, user_agent_patterns: [`zyx${index}`] }),
    ),
  ],
  [
    'many IP ranges',
    [
      record({
        verification: {
          ip_ranges: Array.from(
            { length: 100_000 },
            (_, index) => `2001:db8:${(index % 65_536).toString(16)}::/${48 + (index >> 16)}`,
          ),
        },
      }),
    ],
  ],
])('yields to the event loop while it checks %s', async (_, records) => {
  let ticks = 0;
  let handle = setImmediate(function count() {
    ticks += 1;
    handle = setImmediate(count);
  });
  const { faults } = await checkAgents(records, { others: [] });
  clearImmediate(handle);
  expect(faults).toEqual([]);
  expect(ticks).toBeGreaterThanOrEqual(3);
});
