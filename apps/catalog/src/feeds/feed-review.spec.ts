import { agentId, getBundledCatalog, createCatalog, compileCatalog, type AgentRecord } from '#libs/catalog';
import { reviewFeed } from './feed-review.js';
import type { FeedEntry } from './formats/format-reader.js';

const catalog = compileCatalog(getBundledCatalog());

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
const toEntry = (value: object): FeedEntry => ({ name: String((value as AgentRecord).token), record: value });
const reviewRecords = async (...records: object[]): Promise<Record<string, string | null>> => {
  const verdicts = await reviewFeed(records.map(toEntry), { catalog, accepted: new Set() });
  return Object.fromEntries(verdicts.map(({ token, state, reason }) => [token, reason ?? state]));
};

it('proposes new agents and gives a reason for each agent that it skips', async () => {
  const found = await reviewRecords(
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
    record('Twin', { user_agent_patterns: ['ZYXFETCH'] }),
  );
  expect(found).toEqual({
    Zyxbot: 'proposed',
    gptbot: 'The catalog already has GPTBot.',
    'Another GPT': expect.stringContaining('has the same pattern.'),
    'Zyx-GPTBot': 'The catalog identifies its User-Agents as GPTBot.',
    Browsers: expect.stringMatching(/^It matches an ordinary browser: Mozilla/),
    Instagrams: expect.stringMatching(/^It matches an ordinary browser: .*Instagram/),
    Everybody: expect.stringContaining('/user_agent_patterns/0 must not match empty text'),
    Slow: expect.stringContaining('/user_agent_patterns/0 has a capturing group'),
    Slower: expect.stringContaining('steps per character'),
    Bots: expect.stringMatching(/^It is too general: it matches User-Agents of \d+ other agents\.$/),
    zyxBOT: 'The feed lists this token twice. Only the first entry is used.',
    'Too wide': expect.stringContaining('is too wide'),
    Half: expect.stringContaining('is required'),
    Zyxfetch: 'proposed',
    Twin: 'Zyxfetch in this feed has the same pattern.',
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
])('rejects a pattern that matches current or upcoming browsers: %s', async (pattern) => {
  const sample = pattern.replace(/\[(.).*\]/, '$1');
  const found = await reviewRecords(record('Zyxbot', { user_agent_patterns: [pattern], sample_user_agents: [sample] }));
  expect(found).toEqual({ Zyxbot: expect.stringContaining('It matches an ordinary browser') });
});

it('proposes changes to an agent only from the feed that it was accepted from', async () => {
  const before = record('Zyxbot');
  const catalogWithAgent = compileCatalog(
    createCatalog({ agents: [...getBundledCatalog().agents, before], proxies: [] }),
  );
  const after = toEntry(record('Zyxbot', { operator: 'Zyx' }));
  const getState = async (accepted: string[]) =>
    (await reviewFeed([after], { catalog: catalogWithAgent, accepted: new Set(accepted) }))[0]!.state;
  expect(await getState([agentId('Zyxbot')])).toBe('proposed');
  expect(await getState([])).toBe('known');
});

it("sanitizes and truncates text that the database can't store", async () => {
  const [rejected] = await reviewFeed([{ name: 'a\0\u202e\ud800b', refusal: 'x\0\ud800'.repeat(1_000) }], {
    catalog,
    accepted: new Set(),
  });
  expect(rejected).toMatchObject({ token: 'a\ufffd\ufffd\ufffdb', state: 'refused', record: null });
  expect(rejected!.reason!.isWellFormed() && !rejected!.reason!.includes('\0')).toBe(true);
  expect(rejected!.reason!.length).toBeLessThanOrEqual(300);
});

it('enforces size and time limits when it reviews a feed, without blocking the event loop', async () => {
  const createEntries = (count: number, pattern: (index: number) => string) =>
    Array.from({ length: count }, (_, index) =>
      toEntry(record(`Zyx ${index}`, { user_agent_patterns: [pattern(index)] })),
    );
  const longPatterns = createEntries(9_000, (index) => `zyxwvutsrq${index}`);
  await expect(reviewFeed(longPatterns, { catalog, accepted: new Set() })).rejects.toThrow(
    'The patterns have 124,890 characters',
  );
  let timerCalls = 0;
  const timer = setInterval(() => (timerCalls += 1), 5);
  const review = reviewFeed(
    createEntries(9_000, (index) => `zyx${index}`),
    { catalog, accepted: new Set(), timeoutMs: 300 },
  );
  await expect(review).rejects.toThrow('Checking the feed takes longer than 300 ms.');
  clearInterval(timer);
  expect(timerCalls).toBeGreaterThan(5);
});
