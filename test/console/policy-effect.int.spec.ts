import {
  PolicyEffectSchema,
  validator,
  type PolicyAction,
  type PolicyEffect,
  type PolicyForecast,
  type PolicyOutcome,
  type PolicyRule,
} from '#libs/contracts';
import { SeededRandom } from '../../libs/demo/src/seeded-random.js';
import { App } from '../kit/app.js';
import '../kit/dispose-all.js';
import { storeVisits, type StoredVisit } from '../kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Time at which the rules went live. */
const CHANGE = NOW - 4 * DAY_MS;
const RULE_ID = '018f0000-0000-7000-8000-000000000001';
const RETRY_AFTER_SECONDS = 30;
const BYTES = 5_000;
const MILLISECONDS = 40;
const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  accept: 'text/html',
  'accept-language': 'en',
  'accept-encoding': 'gzip',
  'sec-fetch-mode': 'navigate',
};

// References inside the document would need the entire document.
const schema = validator(
  JSON.parse(JSON.stringify(PolicyEffectSchema, (key, value: unknown) => (key === '$id' ? undefined : value))) as never,
);

let app: App;
let now = NOW;
beforeAll(async () => {
  app = await App.start({ clock: () => now });
});
beforeEach(() => {
  now = NOW;
});

async function createProject(): Promise<string> {
  return (await app.api('POST', '/projects', { name: 'Shop' })).body.id as string;
}

/** Saves a rule as if it had been saved when it went live, and the counts of its decisions. */
async function goLive(id: string, rule: object, visits: readonly StoredVisit[]): Promise<void> {
  const { status, text } = await app.api('PUT', `/projects/${id}/policy`, { rules: [rule] });
  if (status !== 200) throw new Error(text);
  const { dataSource } = app.database;
  await dataSource.query('UPDATE policy_versions SET saved_at = $2 WHERE project_id = $1', [id, new Date(CHANGE)]);
  for (const { at, insights } of visits) {
    for (const { rule_id: ruleId, mode, outcome } of insights?.decisions ?? []) {
      await dataSource.query(
        `INSERT INTO policy_decisions AS stored (project_id, rule_id, hour, mode, outcome, decisions)
         VALUES ($1, $2, date_trunc('hour', $3::timestamptz), $4, $5, 1)
         ON CONFLICT (project_id, rule_id, hour, mode, outcome) DO UPDATE SET decisions = stored.decisions + 1`,
        [id, ruleId, at, mode, outcome],
      );
    }
  }
}

async function readEffect(id: string, query = ''): Promise<PolicyEffect> {
  const { status, body, text } = await app.api('GET', `/projects/${id}/policy/rules/${RULE_ID}/effect${query}`);
  if (status !== 200) throw new Error(text);
  expect(schema.faults(body)).toEqual([]);
  return body as unknown as PolicyEffect;
}

const ACTIONS: readonly { action: PolicyAction; outcome: PolicyOutcome; status: number }[] = [
  { action: { kind: 'refuse' }, outcome: 'refused', status: 403 },
  { action: { kind: 'slow_down', requests_per_minute: 2 }, outcome: 'slowed', status: 429 },
  { action: { kind: 'charge', price: 'USD 1', url: 'https://shop.example/' }, outcome: 'charged', status: 402 },
];
const TOKENS = ['GPTBot', 'ClaudeBot', 'CCBot', 'Bytespider'] as const;

interface Expected {
  requests: number;
  inside_retry_after: number;
  after_retry_after: number;
  without_retry_after: number;
  not_again: number;
  address_visits: number;
  network_visits: number;
}

/** A policy change: visits before and after it, and the numbers that the report must contain. */
class SimulatedChange {
  readonly visits: StoredVisit[] = [];
  readonly expected = new Map<string, Expected>();
  /** Requests that the rule would have acted on before the change. */
  forecast = 0;
  people = 0;
  private readonly random: SeededRandom;
  private readonly kind: (typeof ACTIONS)[number];

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
    this.kind = ACTIONS[seed % ACTIONS.length]!;
    for (const [index, token] of TOKENS.entries()) {
      this.crawlBefore(token, index);
      this.react(token, index);
    }
    for (let index = 0; index < this.random.nextBelow(4); index += 1) this.hitPerson(index);
  }

  get rule(): PolicyRule {
    return {
      id: RULE_ID,
      name: 'Crawlers',
      mode: 'live',
      visitors: { agent_tokens: [...TOKENS], likely_automated: true },
      action: this.kind.action,
    };
  }

  /** Adds bursts of requests, each within a minute, before the change. */
  private crawlBefore(token: string, index: number): void {
    for (let burst = 0; burst < 1 + this.random.nextBelow(4); burst += 1) {
      const requests = 1 + this.random.nextBelow(6);
      const { action } = this.kind;
      this.forecast += action.kind === 'slow_down' ? Math.max(0, requests - action.requests_per_minute) : requests;
      for (let request = 0; request < requests; request += 1) {
        const at = CHANGE - 2 * DAY_MS + burst * HOUR_MS + request * SECOND_MS;
        this.add(at, { ...this.agent(token, index), extra: this.served });
        // Rules never block these, so they don't count in the estimate.
        const tiny = { response_size_in_bytes: 1, response_duration_in_milliseconds: 1 };
        for (const path of ['/robots.txt?a', '/.well-known/agent.json'])
          this.add(at, { ...this.agent(token, index), path, extra: tiny });
      }
    }
  }

  private react(token: string, index: number): void {
    const behavior = this.random.pick(['obey', 'ignore', 'disguise', 'disguise']);
    const rounds = 1 + this.random.nextBelow(5);
    const start = CHANGE + DAY_MS;
    const none = { inside_retry_after: 0, after_retry_after: 0, without_retry_after: 0, not_again: 0 };
    const alone = { address_visits: 0, network_visits: 0 };
    const isSlowed = this.kind.outcome === 'slowed';
    if (behavior === 'ignore') {
      for (let round = 0; round < rounds; round += 1) this.refuse(start + round * 5 * SECOND_MS, token, index);
      const early = isSlowed ? { inside_retry_after: rounds - 1 } : { without_retry_after: rounds - 1 };
      this.expected.set(token, { requests: rounds, ...none, ...alone, ...early, not_again: 1 });
    } else if (behavior === 'obey' && isSlowed) {
      for (let round = 0; round < rounds; round += 1) {
        this.refuse(start + round * MINUTE_MS, token, index);
        const allowed = this.decide('allowed');
        this.add(start + round * MINUTE_MS + (RETRY_AFTER_SECONDS + 1) * SECOND_MS, {
          ...this.agent(token, index),
          insights: allowed,
          extra: this.served,
        });
      }
      this.expected.set(token, { requests: rounds, ...none, ...alone, after_retry_after: rounds });
    } else {
      this.refuse(start, token, index);
      const [fromAddress, fromNetwork] = behavior === 'obey' ? [0, 0] : [rounds, this.random.nextBelow(3)];
      const hide = (count: number, host: number): void => {
        for (let visit = 0; visit < count; visit += 1) {
          this.add(start + (visit + 1) * MINUTE_MS, { address: `10.0.${index}.${host}`, headers: BROWSER });
        }
      };
      hide(fromAddress, 1);
      hide(fromNetwork, 2);
      // Too late, and another network.
      this.add(start + DAY_MS + SECOND_MS, { address: `10.0.${index}.1` });
      this.add(start + MINUTE_MS, { address: `10.1.${index}.1` });
      const others = { address_visits: fromAddress, network_visits: fromAddress + fromNetwork };
      this.expected.set(token, { requests: 1, ...none, not_again: 1, ...others });
    }
  }

  /** Adds visits by unknown visitors that the rule acts on: a browser and a script. */
  private hitPerson(index: number): void {
    const at = CHANGE + 3 * DAY_MS + index * MINUTE_MS;
    this.people += 1;
    const insights = this.decide(this.kind.outcome);
    this.add(at, { address: `192.0.2.${index}`, headers: BROWSER, insights, status: this.kind.status });
    const script = { 'user-agent': 'curl/8.0', accept: '*/*' };
    this.add(at, { address: `192.0.2.${100 + index}`, headers: script, insights, status: this.kind.status });
  }

  private refuse(at: number, token: string, index: number): void {
    const { outcome, status } = this.kind;
    const response_headers = outcome === 'slowed' ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : {};
    this.add(at, { ...this.agent(token, index), status, insights: this.decide(outcome), extra: { response_headers } });
  }

  private readonly agent = (token: string, index: number) => ({
    agent: token,
    type: 'AI Data Scraper',
    operator: `Operator of ${token}`,
    result: 'verified' as const,
    address: `10.0.${index}.1`,
  });

  private readonly decide = (outcome: PolicyOutcome) => ({
    decisions: [{ rule_id: RULE_ID, mode: 'live' as const, outcome }],
  });

  private readonly served = { response_size_in_bytes: BYTES, response_duration_in_milliseconds: MILLISECONDS };

  private add(at: number, visit: Omit<StoredVisit, 'at'>): void {
    this.visits.push({ at: new Date(at).toISOString(), ...visit });
  }
}

it.each(Array.from({ length: 20 }, (_, seed) => seed))('reports who came back and how: change %s', async (seed) => {
  const change = new SimulatedChange(seed);
  const id = await createProject();
  await storeVisits(app.database.dataSource, id, NOW, change.visits);

  now = CHANGE;
  const trial = await app.api('POST', `/projects/${id}/policy-trials`, { rules: [change.rule], days: 7 });
  const { outcomes } = (trial.body as unknown as PolicyForecast).rules[0]!;
  expect(outcomes.refused + outcomes.slowed + outcomes.charged).toBe(change.forecast);

  now = NOW;
  await goLive(id, change.rule, change.visits);
  const effect = await readEffect(id);
  const agents = effect.agents.filter(({ agent_id: agentId }) => agentId !== null);
  const actual = agents.map(
    ({ agent_token: token, came_back: { median_seconds: _seconds, ...cameBack }, as_others: others }) => [
      token,
      {
        ...cameBack,
        address_visits: others.reduce((sum, one) => sum + one.address_visits, 0),
        network_visits: others.reduce((sum, one) => sum + one.network_visits, 0),
      },
    ],
  );
  expect(new Map(actual as never)).toEqual(change.expected);
  const requests = [...change.expected.values()].reduce((sum, one) => sum + one.requests, 0);
  const acted = effect.live.refused + effect.live.slowed + effect.live.charged;
  expect([acted, effect.visits]).toEqual([requests + 2 * change.people, requests + 2 * change.people]);
  expect([effect.saved_bytes, effect.saved_milliseconds]).toEqual([requests * BYTES, requests * MILLISECONDS]);
  expect(effect.people.visits).toBe(change.people);
  expect([effect.live_since, effect.live_until]).toEqual([new Date(CHANGE).toISOString(), null]);
});

const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI', address: '10.0.0.1' } as const;
const at = (ms: number): string => new Date(ms).toISOString();
const decide = (outcome: PolicyOutcome, mode: 'live' | 'dry_run' = 'live') => ({
  decisions: [{ rule_id: RULE_ID, mode, outcome }],
});
const rule = (parts: object = {}) => ({
  id: RULE_ID,
  name: 'Crawlers',
  mode: 'live',
  visitors: { agent_tokens: ['GPTBot'] },
  action: { kind: 'refuse' },
  ...parts,
});

it('reports requests over time, referrals, and nothing that sources did not report', async () => {
  const id = await createProject();
  const referral = { assistant: 'ChatGPT', operator: 'OpenAI', source: 'referer', value: 'chatgpt.com' } as const;
  const visits = [
    { ...GPTBOT, at: at(CHANGE - HOUR_MS) },
    { ...GPTBOT, at: at(CHANGE + HOUR_MS), status: 403, insights: decide('refused') },
    { ...GPTBOT, at: at(CHANGE + 2 * HOUR_MS), insights: decide('allowed') },
    { ...GPTBOT, at: at(CHANGE + 3 * HOUR_MS), insights: decide('refused', 'dry_run') },
    ...[1, 2, 3].map((hours) => ({ at: at(CHANGE - hours * HOUR_MS), insights: { referral } })),
    { at: at(CHANGE + HOUR_MS), insights: { referral } },
    // More than four days before the change, which is longer than the time since.
    { at: at(CHANGE - 5 * DAY_MS), insights: { referral } },
  ];
  await storeVisits(app.database.dataSource, id, NOW, visits);
  await goLive(id, rule(), visits);
  const effect = await readEffect(id, '?days=10');
  expect(effect).toMatchObject({
    live: { allowed: 1, refused: 1 },
    dry_run: { refused: 1 },
    visits: 2,
    came_back: { requests: 1, without_retry_after: 1, median_seconds: 3_600 },
    saved_bytes: null,
    saved_milliseconds: null,
    referrals: { days: expect.closeTo(4, 1), operators: [{ operator_name: 'OpenAI', before: 3, after: 1 }] },
    people: { visits: 0 },
  });
  expect(effect.series).toHaveLength(10);
  expect(effect.series.filter(({ live }) => live.refused + live.allowed > 0)).toMatchObject([
    { live: { allowed: 1, refused: 1 }, dry_run: { refused: 1 } },
  ]);
  expect((await readEffect(id, '?days=2')).visits).toBe(0);
});

it('distinguishes impostors and unknown visitors by their addresses', async () => {
  const id = await createProject();
  const spoofed = { ...GPTBOT, result: 'verification_failed', status: 403, insights: decide('refused') } as const;
  const unknown = { status: 403, insights: decide('refused') };
  const visits: StoredVisit[] = [
    { ...spoofed, at: at(CHANGE), address: '10.0.0.1' },
    { ...spoofed, at: at(CHANGE + MINUTE_MS), address: '10.0.0.2' },
    { ...spoofed, at: at(CHANGE + 2 * MINUTE_MS), address: '10.0.0.1' },
    { ...GPTBOT, at: at(CHANGE + 3 * MINUTE_MS), address: '10.0.1.1', status: 403, insights: decide('refused') },
    { ...unknown, at: at(CHANGE), address: '10.0.9.1' },
    { at: at(CHANGE + MINUTE_MS), address: '10.0.9.2' },
    { at: at(CHANGE + MINUTE_MS), address: '10.0.9.1' },
  ];
  await storeVisits(app.database.dataSource, id, NOW, visits);
  await goLive(id, rule(), visits);
  const { agents } = await readEffect(id);
  const describe = ({ agent_token: token, is_spoofed: isSpoofed, came_back: cameBack }: (typeof agents)[number]) => [
    token,
    isSpoofed,
    cameBack.requests,
    cameBack.not_again,
  ];
  expect(agents.map(describe)).toEqual([
    ['GPTBot', true, 3, 2],
    ['GPTBot', false, 1, 1],
    [null, false, 1, 0],
  ]);
});

it('includes exceptions, and rules that were removed', async () => {
  const id = await createProject();
  const exception = {
    id: '018f0000-0000-7000-8000-000000000002',
    requests: { paths: ['/a'] },
    action: { kind: 'refuse' },
  };
  const visits: StoredVisit[] = [
    {
      ...GPTBOT,
      at: at(CHANGE),
      insights: { decisions: [{ rule_id: exception.id, mode: 'live', outcome: 'refused' }] },
    },
  ];
  await storeVisits(app.database.dataSource, id, NOW, visits);
  await goLive(id, rule({ action: { kind: 'allow' }, exceptions: [exception] }), visits);
  await app.api('PUT', `/projects/${id}/policy`, { rules: [] });
  expect(await readEffect(id)).toMatchObject({ live: { refused: 1 }, visits: 1, live_until: expect.any(String) });
  const unknown = await app.api('GET', `/projects/${id}/policy/rules/${id}/effect`);
  expect(unknown.status).toBe(404);
  expect((await app.api('GET', `/projects/${id}/policy/rules/${RULE_ID}/effect?days=31`)).status).toBe(422);
});
