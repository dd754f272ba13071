import { agentId, bundledCatalog, catalogOf, compileCatalog, type AgentRecord } from '#libs/catalog';
import { judge } from './feed-judgement.js';
import type { FeedEntry } from './formats/format.js';

const catalog = compileCatalog(bundledCatalog());

const record = (token: string, extra: Partial<AgentRecord> = {}): AgentRecord => ({
  token,
  type: 'Fetcher',
  operator: null,
  url: null,
  user_agent_patterns: [token],
  sample_user_agents: extra.user_agent_patterns ?? [token],
  robots_token: null,
  verification: {},
  ...extra,
});
const entry = (value: object): FeedEntry => ({ name: String((value as AgentRecord).token), record: value });
const judged = async (...records: object[]): Promise<Record<string, string | null>> => {
  const verdicts = await judge(records.map(entry), { catalog, accepted: new Set() });
  return Object.fromEntries(verdicts.map(({ token, state, reason }) => [token, reason ?? state]));
};

it('proposes new agents and gives a reason for every other one', async () => {
  const found = await judged(
    record('Zyxbot'),
    record('gptbot', { user_agent_patterns: ['zyx-gpt'] }),
    record('Another GPT', { user_agent_patterns: ['SISTRIX OPTIMIZER'], sample_user_agents: ['SISTRIX Optimizer/1'] }),
    record('Zyx-GPTBot', { user_agent_patterns: ['GPTBot\\/'], sample_user_agents: ['GPTBot/1.2'] }),
    record('Browsers', { user_agent_patterns: ['AppleWebKit'] }),
    record('Instagrams', { user_agent_patterns: ['Instagram 3'] }),
    record('Everybody', { user_agent_patterns: ['.*'] }),
    record('Slow', { user_agent_patterns: ['(a+)+$'] }),
    record('Slower', { user_agent_patterns: ['zyx.{0,100}.{0,100}.{0,100}y'], sample_user_agents: ['zyxy'] }),
    record('Bots', {
      user_agent_patterns: ['\\/1\\.0; \\+https?:'],
      sample_user_agents: ['zyx/1.0; +http://zyx.example'],
    }),
    record('zyxBOT', { user_agent_patterns: ['zyx2'] }),
    record('Too wide', { user_agent_patterns: ['zyx3'], verification: { ip_ranges: ['0.0.0.0/0'] } }),
    { token: 'Half' },
    record('Zyxfetch'),
  );
  expect(found).toEqual({
    Zyxbot: 'proposed',
    gptbot: 'The catalog has GPTBot already.',
    'Another GPT': expect.stringContaining('has the same pattern.'),
    'Zyx-GPTBot': 'The catalog identifies its User-Agents as GPTBot.',
    Browsers: expect.stringMatching(/^It matches a person's browser: Mozilla/),
    Instagrams: expect.stringMatching(/^It matches a person's browser: .*Instagram/),
    Everybody: expect.stringContaining('/user_agent_patterns/0 must not match an empty text'),
    Slow: expect.stringContaining('/user_agent_patterns/0 has a capturing group'),
    Slower: expect.stringContaining('steps for each character'),
    Bots: expect.stringMatching(/^It is found in User-Agents of \d+ agents of the catalog: it is too general\.$/),
    zyxBOT: 'The feed has this token twice; the first one counts.',
    'Too wide': expect.stringContaining('is too wide'),
    Half: expect.stringContaining('is required'),
    Zyxfetch: 'proposed',
  });
});

it.each([
  'DuckDuckGo/',
  'Vivaldi/',
  'Firefox/16[0-9]',
  'Version/2[89]',
  'Mobile/23[A-Z]',
  'SamsungBrowser/3[5-9]',
  'Chrome/17[0-9]',
])('rejects patterns that match current or upcoming browsers: %s', async (pattern) => {
  const sample = pattern.replace(/\[(.).*\]/, '$1');
  const found = await judged(record('Zyxbot', { user_agent_patterns: [pattern], sample_user_agents: [sample] }));
  expect(found).toEqual({ Zyxbot: expect.stringContaining("It matches a person's browser") });
});

it('proposes changes only from the feed an agent was accepted from', async () => {
  const before = record('Zyxbot');
  const withIt = compileCatalog(catalogOf({ agents: [...bundledCatalog().agents, before], proxies: [] }));
  const after = entry(record('Zyxbot', { operator: 'Zyx' }));
  const of = async (accepted: string[]) =>
    (await judge([after], { catalog: withIt, accepted: new Set(accepted) }))[0]!.state;
  expect(await of([agentId('Zyxbot')])).toBe('proposed');
  expect(await of([])).toBe('known');
});

it('sanitizes and truncates texts that the database cannot store', async () => {
  const [refused] = await judge([{ name: 'a\0\u202e\ud800b', refusal: 'x\0\ud800'.repeat(1_000) }], {
    catalog,
    accepted: new Set(),
  });
  expect(refused).toMatchObject({ token: 'a\ufffd\ufffd\ufffdb', state: 'refused', record: null });
  expect(refused!.reason!.isWellFormed() && !refused!.reason!.includes('\0')).toBe(true);
  expect(refused!.reason!.length).toBeLessThanOrEqual(300);
});

it('stops at a size or time limit without blocking the event loop', async () => {
  const many = (count: number, pattern: (index: number) => string) =>
    Array.from({ length: count }, (_, index) =>
      entry(record(`Zyx ${index}`, { user_agent_patterns: [pattern(index)] })),
    );
  const long = many(9_000, (index) => `zyxwvutsrq${index}`);
  await expect(judge(long, { catalog, accepted: new Set() })).rejects.toThrow('Its patterns have 124,890 characters');
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 5);
  const working = judge(
    many(9_000, (index) => `zyx${index}`),
    { catalog, accepted: new Set(), timeoutMs: 300 },
  );
  await expect(working).rejects.toThrow('It takes longer than 300 ms to check.');
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});
