import { PolicyForecastSchema, validator, type PolicyForecast, type PolicyRule } from '#libs/contracts';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { storeVisits, type StoredVisit } from '../../../../test/kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const schema = validator(PolicyForecastSchema);

let app: App;
let id: string;
/** Milliseconds by which the clock advances each time it's read. */
let clockStepMs = 0;
let now = NOW;

const ago = (ms: number, visit: Omit<StoredVisit, 'at'>): StoredVisit => ({
  at: new Date(NOW - ms).toISOString(),
  ...visit,
});
const times = (count: number, create: (index: number) => StoredVisit): StoredVisit[] =>
  Array.from({ length: count }, (_, index) => create(index));

const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' } as const;

const BROWSER_HEADERS = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)',
  Accept: '*/*',
  'Accept-Language': 'en',
  'Accept-Encoding': 'gzip',
  'Sec-Fetch-Mode': 'navigate',
};

/** Agents that obey, ignore robots.txt, or come back disguised, and people. */
const VISITS: StoredVisit[] = [
  // 90 requests within 45 seconds from 30 addresses: all of them use the same allowance.
  ...times(90, (index) =>
    ago(5 * HOUR_MS - index * 500, {
      ...GPTBOT,
      result: 'verified',
      path: `/docs/${index}`,
      address: `192.0.2.${index % 30}`,
      extra: { response_size_in_bytes: 1_000, response_duration_in_milliseconds: 20 },
    }),
  ),
  // An impostor doesn't use the allowance of the real agent.
  ...times(20, (index) => ago(5 * HOUR_MS - index * 500, { ...GPTBOT, result: 'verification_failed', path: '/a' })),
  // Once a minute, so never above a limit.
  ...times(10, (index) =>
    ago(4 * HOUR_MS - index * 60_000, {
      agent: 'ClaudeBot',
      type: 'AI Data Scraper',
      operator: 'Anthropic',
      result: 'verified',
      path: '/blog',
    }),
  ),
  // Two windows, 30 requests each: the second starts exactly 60 s after the first.
  ...times(60, (index) =>
    ago(3 * HOUR_MS - (index % 30) * 1_000 - (index < 30 ? 0 : 60_000), {
      agent: 'CCBot',
      type: 'AI Data Provider',
      operator: 'Common Crawl',
      path: '/data',
      method: 'HEAD',
      headers: { Host: 'WWW.example.com' },
    }),
  ),
  ago(2 * HOUR_MS, { ...GPTBOT, path: '/robots.txt' }),
  ...times(7, (index) =>
    ago(2 * HOUR_MS - index, {
      path: '/docs/1',
      address: '192.0.2.1',
      headers: index < 3 ? BROWSER_HEADERS : {},
      insights: { automation: { verdict: 'likely', signs: ['isbot'] } },
    }),
  ),
  ...times(4, (index) =>
    ago(HOUR_MS - index, {
      path: '/docs/2',
      insights: {
        automation: { verdict: 'unlikely', signs: [] },
        referral: { assistant: 'ChatGPT', operator: 'OpenAI', source: 'referer', value: 'chatgpt.com' },
      },
    }),
  ),
  ago(2 * DAY_MS, { ...GPTBOT, path: '/docs/old' }),
];

beforeAll(async () => {
  app = await App.start({ clock: () => (now += clockStepMs) });
  ({ id } = (await app.api('POST', '/projects', { name: 'Shop' })).body);
  await storeVisits(app.database.dataSource, id, NOW, VISITS);
});

const RULE_ID = '018f0000-0000-7000-8000-000000000001';
const EXCEPTION_ID = '018f0000-0000-7000-8000-000000000002';

async function forecast(rules: readonly object[], days = 1): Promise<PolicyForecast> {
  const { status, body, text } = await app.api('POST', `/projects/${id}/policy-trials`, { rules, days });
  if (status !== 200) throw new Error(text);
  expect(schema.faults(body)).toEqual([]);
  return body as unknown as PolicyForecast;
}

const refuse = { kind: 'refuse' } as const;
const slowTo = (limit: number) => ({ kind: 'slow_down', requests_per_minute: limit }) as const;

it.each<[string, Partial<PolicyRule>, Partial<Record<string, number>>]>([
  ['refuse all agents', { action: refuse }, { refused: 180 }],
  ['refuse a verified agent', { visitors: { agent_tokens: ['gptbot'], results: ['verified'] } }, { refused: 90 }],
  ['refuse impostors', { visitors: { results: ['verification_failed'] } }, { refused: 20 }],
  ['refuse an operator', { visitors: { operators: ['Anthropic'] } }, { refused: 10 }],
  ['refuse training', { visitors: { purposes: ['training'] } }, { refused: 180 }],
  ['refuse search', { visitors: { purposes: ['search'] } }, {}],
  ['refuse a path', { requests: { paths: ['/docs/'] } }, { refused: 90 }],
  ['refuse a method', { requests: { methods: ['HEAD'] } }, { refused: 60 }],
  ['refuse on a host', { requests: { hosts: ['www.example.com'] } }, { refused: 60 }],
  ['refuse automated visitors', { visitors: { likely_automated: true } }, { refused: 7 }],
  ['allow all', { action: { kind: 'allow' } }, { allowed: 180 }],
  ['turn a rule off', { mode: 'off' }, {}],
  ['slow all down to 60', { action: slowTo(60) }, { allowed: 150, slowed: 30 }],
  ['slow all down to 90', { action: slowTo(90) }, { allowed: 180 }],
  ['slow all down to 1', { action: slowTo(1) }, { allowed: 14, slowed: 166 }],
  [
    'slow an agent down to 20',
    { visitors: { agent_tokens: ['CCBot'] }, action: slowTo(20) },
    { allowed: 40, slowed: 20 },
  ],
  [
    'charge an operator',
    { visitors: { operators: ['OpenAI'] }, action: { kind: 'charge', price: 'USD 1', url: 'https://example.com/' } },
    { charged: 110 },
  ],
  [
    'redirect to Markdown',
    { requests: { paths: ['/blog'] }, action: { kind: 'redirect', status: 308, location: '/{path}.md' } },
    { redirected: 10 },
  ],
  [
    'redirect to the same path',
    { requests: { paths: ['/blog'] }, action: { kind: 'redirect', status: 308, location: '/blog' } },
    { allowed: 10 },
  ],
  ['refuse live', { mode: 'live', requests: { paths: ['/data'] } }, { refused: 60 }],
])('counts the past requests exactly: %s', async (_, parts, expected) => {
  const rule = { id: RULE_ID, name: 'Rule', mode: 'dry_run', action: refuse, ...parts };
  const { rules, visits, is_complete: isComplete } = await forecast([rule]);
  expect([visits, isComplete]).toEqual([VISITS.length - 1, true]);
  const outcomes = rules[0]?.outcomes ?? {};
  expect(Object.fromEntries(Object.entries<number>(outcomes).filter(([, count]) => count > 0))).toEqual(expected);
});

const saveVersion = (ageMs: number, ruleId: string): Promise<unknown> =>
  app.database.dataSource.query(
    `INSERT INTO policy_versions (id, project_id, rules, saved_at) VALUES (gen_random_uuid(), $1, $2, $3)`,
    [id, JSON.stringify([{ id: ruleId, name: 'Rule', mode: 'live', action: refuse }]), new Date(NOW - ageMs)],
  );
const recordDecisions = (ageMs: number, ruleId: string, mode: string, decisions: number): Promise<unknown> =>
  app.database.dataSource.query(
    `INSERT INTO policy_decisions VALUES ($1, $2, date_trunc('hour', $3::timestamptz), $4, 'refused', $5)`,
    [id, ruleId, new Date(NOW - ageMs), mode, decisions],
  );
afterEach(() =>
  app.database.dataSource.query(
    `DELETE FROM policy_decisions; DELETE FROM policy_versions; UPDATE instance_settings SET retention_days = NULL`,
  ),
);

it('reports savings, risks, agents and some of the visits', async () => {
  const rule = {
    id: RULE_ID,
    name: 'Rule',
    mode: 'dry_run',
    visitors: { operators: ['OpenAI'], likely_automated: true },
    action: refuse,
    exceptions: [{ id: EXCEPTION_ID, visitors: { results: ['verification_failed'] }, action: { kind: 'allow' } }],
  };
  await saveVersion(3 * DAY_MS, RULE_ID);
  await saveVersion(DAY_MS, RULE_ID);
  await recordDecisions(HOUR_MS, RULE_ID, 'dry_run', 5);
  const { rules, agents, from, to, total, series, bucket } = await forecast([rule], 2);
  expect([from, to]).toEqual(['2026-11-20T00:00:00.000Z', '2026-11-21T08:31:05.000Z']);
  expect(rules).toEqual([
    expect.objectContaining({ rule_id: RULE_ID, bytes: 90_000, milliseconds: 1_800, referrals_at_risk: 4 }),
    expect.objectContaining({ rule_id: EXCEPTION_ID, bytes: 0, referrals_at_risk: 0, examples: [] }),
  ]);
  expect(rules.map(({ recorded, since, people, networks }) => ({ recorded, since, people, networks }))).toEqual([
    {
      recorded: { live: 0, dry_run: 5 },
      since: '2026-11-18T08:31:05.000Z',
      people: 3,
      networks: [{ network: '192.0.2.0/24', visits: 97 }],
    },
    { recorded: { live: 0, dry_run: 0 }, since: null, people: 0, networks: [] },
  ]);
  expect(agents[0]).toEqual({
    agent_token: 'GPTBot',
    outcomes: expect.objectContaining({ refused: 90, allowed: 21 }),
    exempt: 1,
  });
  expect(rules.map(({ exempt, agents: affected }) => [exempt, affected])).toEqual([
    [
      1,
      [
        { agent_token: 'GPTBot', result: 'verified', visits: 90 },
        { agent_token: null, result: 'unknown_agent', visits: 7 },
      ],
    ],
    [0, []],
  ]);
  expect(rules[0]!.examples.map(({ path }) => path)).toEqual(['/docs/0', '/docs/1']);
  const visit = (await app.api('GET', `/projects/${id}/visits/${rules[0]!.examples[0]!.visit_id}`)).body;
  expect(visit.visit.request_path).toBe('/docs/0');
  expect(total).toMatchObject({ bytes: 90_000, milliseconds: 1_800, referrals: 4 });
  expect(total).toMatchObject({ referrals_at_risk: 4, referrals_asked_to_pay: 0 });
  expect(total.outcomes).toMatchObject({ refused: 97, allowed: VISITS.length - 98 });
  expect(bucket).toBe('1h');
  const busy = series.filter(({ outcomes }) => outcomes.refused > 0);
  expect(busy).toMatchObject([
    { time: '2026-11-21T03:00:00.000Z', outcomes: { refused: 90 } },
    { time: '2026-11-21T06:00:00.000Z', outcomes: { refused: 7 } },
  ]);
});

it('compares recorded decisions only while all visits that a rule can match are stored', async () => {
  const rules = [
    { visitors: { likely_automated: true } },
    { visitors: { networks: ['192.0.2.0/24'] } },
    { visitors: { networks: ['192.0.2.0/24'], results: ['verified'] } },
    {},
  ].map((parts, index) => ({
    ...parts,
    id: RULE_ID.slice(0, -1) + index,
    name: 'Rule',
    mode: 'dry_run',
    action: refuse,
  }));
  const findCompared = async (days: number): Promise<boolean[]> => {
    const forecasts = await Promise.all(rules.map((rule) => forecast([rule], days)));
    return forecasts.map(({ rules: [rule] }) => rule!.recorded !== null);
  };
  expect(await findCompared(7)).toEqual([true, true, true, true]);
  expect(await findCompared(30)).toEqual([false, false, true, true]);
  await app.database.dataSource.query('UPDATE instance_settings SET retention_days = 5');
  expect(await findCompared(7)).toEqual([false, false, false, false]);
});

it('lists rules that only acted when the requests arrived', async () => {
  const rule = { id: RULE_ID, name: 'Rule', mode: 'live', visitors: { agent_tokens: ['Bytespider'] }, action: refuse };
  await recordDecisions(HOUR_MS, RULE_ID, 'live', 163);
  const { rules } = await forecast([rule], 7);
  expect(rules).toMatchObject([
    { rule_id: RULE_ID, outcomes: { allowed: 0, refused: 0 }, recorded: { live: 163, dry_run: 0 } },
  ]);
  expect((await forecast([{ ...rule, mode: 'off' }], 7)).rules).toEqual([]);
});

it('counts referrals by operators of verified agents only', async () => {
  const [one, other] = [RULE_ID, EXCEPTION_ID].map((ruleId, index) => ({
    id: ruleId,
    name: 'Rule',
    mode: 'dry_run',
    visitors: { operators: ['OpenAI'], results: [index === 0 ? 'verified' : 'verification_failed'] },
    action: refuse,
  }));
  const { rules, total } = await forecast([one!, other!]);
  expect(rules.map(({ referrals_at_risk: count }) => count)).toEqual([4, 0]);
  expect(total.referrals_at_risk).toBe(4);
});

it('covers up to the requested number of days', async () => {
  const rule = { id: RULE_ID, name: 'Rule', mode: 'dry_run', requests: { paths: ['/docs/old'] }, action: refuse };
  expect((await forecast([rule], 3)).rules[0]!.outcomes.refused).toBe(1);
  const tooLong = await app.api('POST', `/projects/${id}/policy-trials`, { rules: [rule], days: 31 });
  expect(tooLong.status).toBe(422);
});

it('stops replaying visits at a deadline', async () => {
  clockStepMs = 1_000;
  const rule = { id: RULE_ID, name: 'Rule', mode: 'dry_run', action: refuse };
  const { status, body } = await app.api('POST', `/projects/${id}/policy-trials`, { rules: [rule], days: 1 });
  expect([status, body.type]).toEqual([504, '/docs/problems#deadline-exceeded']);
});
