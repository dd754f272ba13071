import { agentId, TEST_AGENT } from '#libs/catalog';
import { ALERT_KIND_NAMES, ALERT_KINDS, type AlertChange, type AlertKind, type NewAlert } from '#libs/contracts';
import { AlertConditionsRepository } from '#libs/visit-store';
import { v7 } from 'uuid';
import { until } from '../../../../test/kit/instance.js';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { createLatestSnapshot } from '../../../../test/kit/snapshot.js';
import { storeVisits, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { createRepository } from '../../../../test/kit/visit-store.js';
import { AlertsRepository, toAlertSettings } from './alerts.repository.js';
import { ConditionsRepository } from './conditions.repository.js';
import { AlertEvaluationRepository, type AlertChangeEvent } from './evaluation.repository.js';
import { simulateEvents } from './event-simulation.js';

const QUARTER_MS = 900_000;
const HOUR_MS = 4 * QUARTER_MS;
/** End of the baseline period and start of the events under test. */
const START = Date.parse('2026-11-20T09:00:00Z');
const DAY_MS = 24 * HOUR_MS;
const EVALUATION_DELAY_MS = 120_000;

let database: TestDatabase;
let conditions: ConditionsRepository;
let evaluation: AlertEvaluationRepository;
let alerts: AlertsRepository;

beforeAll(async () => {
  database = await startTestDatabase();
  const { dataSource } = database;
  conditions = new ConditionsRepository(dataSource, await createRepository(dataSource, AlertConditionsRepository));
  evaluation = new AlertEvaluationRepository(dataSource, conditions);
  alerts = new AlertsRepository(database.dataSource);
});
beforeEach(() =>
  database.dataSource.query(`TRUNCATE projects, alert_evaluation, visit_counts, visit_top_counts CASCADE`),
);
afterAll(() => database?.stop());

const query = (sql: string, parameters: unknown[] = []) => database.dataSource.query(sql, parameters);

async function newProject({ createdAt = START - 2 * DAY_MS } = {}): Promise<string> {
  const id = v7();
  await query(`INSERT INTO projects (id, name, created_at) VALUES ($1, 'Shop', $2)`, [id, new Date(createdAt)]);
  return id;
}

/** Stores a fixed number of GPTBot visits per quarter hour, by default for the two days before START. */
async function storeBaseline(
  projectId: string,
  visits: number,
  { until = START, result = 'verified', from = START - 2 * DAY_MS } = {},
) {
  await query(
    `INSERT INTO visit_counts (project_id, bucket, agent_id, agent_type, result, visits, last_at)
     SELECT $1, at, $2, 'AI Data Scraper', $3, $4, at FROM generate_series($5::timestamptz, $6::timestamptz, '15 minutes') at`,
    [projectId, agentId('GPTBot'), result, visits, new Date(from), new Date(until - QUARTER_MS)],
  );
}

const store = (projectId: string, count: number, visit: Partial<StoredVisit>) =>
  storeVisits(
    database.dataSource,
    projectId,
    START + HOUR_MS,
    Array.from({ length: count }, () => ({ at: new Date(START + 60_000).toISOString(), ...visit })),
  );

/**
 * Runs an evaluation for every quarter hour from START until the given time.
 *
 * @returns The firing and recovery events, in order.
 */
async function evaluate(until: number, evaluations = [evaluation]): Promise<AlertChangeEvent[]> {
  const changes: AlertChangeEvent[] = [];
  await query(`INSERT INTO alert_evaluation (evaluated_until) VALUES ($1) ON CONFLICT DO NOTHING`, [new Date(START)]);
  for (let at = START + QUARTER_MS; at <= until; at += QUARTER_MS) {
    await Promise.all(
      evaluations.map((each) =>
        each.evaluateNext(at + EVALUATION_DELAY_MS, async (_, events) => {
          changes.push(...events);
        }),
      ),
    );
  }
  return changes;
}

const gptBot = { agent: 'GPTBot', type: 'AI Data Scraper' };
const allowedByRobots = { robots: { verdict: 'allowed', version: null, line: null } } as const;
const disallowed = { robots: { verdict: 'disallowed', version: null, line: null } } as const;
const failedCall = {
  extra: { mcp_request_method: 'tools/call', mcp_request_tool_name: 'search', mcp_response_result_is_error: true },
};

/** Scenario for each alert kind. `fires` and `recovers` are in minutes after START. */
const CASES: Record<
  AlertKind,
  { happens: (projectId: string) => Promise<void>; fires: number; recovers: number | null; subject?: string }
> = {
  new_agent: {
    happens: async (id) => {
      await storeBaseline(id, 1, { until: START + 4 * HOUR_MS });
      await store(id, 3, { agent: 'ClaudeBot' });
    },
    fires: 15,
    recovers: null,
    subject: agentId('ClaudeBot'),
  },
  spike: {
    happens: async (id) => {
      await storeBaseline(id, 4, { until: START + 4 * HOUR_MS });
      await store(id, 300, { ...gptBot, result: 'verified' });
    },
    fires: 15,
    // The window takes an hour to pass, and recovery takes another hour.
    recovers: 120,
  },
  drop: {
    happens: async (id) => {
      await storeBaseline(id, 40);
      await storeBaseline(id, 40, { from: START + 2 * HOUR_MS, until: START + 6 * HOUR_MS });
    },
    // Half an hour without visits is enough to fire. Half an hour after visits resume, their number is back within
    // three standard deviations.
    fires: 30,
    recovers: 195,
  },
  spoofing: {
    happens: (id) => store(id, 25, { ...gptBot, result: 'verification_failed' }),
    fires: 15,
    recovers: 120,
    subject: agentId('GPTBot'),
  },
  agent_load: {
    happens: async (id) => {
      await storeBaseline(id, 9_000, { from: START, until: START + QUARTER_MS });
      await storeBaseline(id, 90_000, { from: START, until: START + HOUR_MS, result: 'verification_failed' });
    },
    fires: 15,
    recovers: 75,
    subject: agentId('GPTBot'),
  },
  verified_share: {
    happens: async (id) => {
      await storeBaseline(id, 20, { until: START + 4 * HOUR_MS });
      await store(id, 60, { ...gptBot, result: 'not_verifiable' });
    },
    fires: 15,
    recovers: 120,
  },
  errors: {
    happens: (id) => store(id, 60, { ...gptBot, status: 500, insights: allowedByRobots }),
    fires: 15,
    recovers: 120,
    subject: agentId('GPTBot'),
  },
  server_errors: { happens: (id) => store(id, 25, { ...gptBot, status: 500 }), fires: 15, recovers: 120 },
  blocked: {
    happens: (id) => store(id, 25, { ...gptBot, status: 403, insights: allowedByRobots }),
    fires: 15,
    recovers: 120,
    subject: agentId('GPTBot'),
  },
  disallowed: {
    happens: (id) => store(id, 25, { ...gptBot, insights: disallowed }),
    fires: 15,
    recovers: 120,
    subject: agentId('GPTBot'),
  },
  robots_missing: {
    happens: async (id) => {
      await query(`INSERT INTO robots_texts VALUES ('\\x00', '', false) ON CONFLICT DO NOTHING`);
      const [found, lost, back] = [START - DAY_MS, START, START + 2 * HOUR_MS].map((time) => new Date(time));
      await query(
        `INSERT INTO robots_versions (id, project_id, host, served_from, served_until, status, digest, is_recorded) VALUES
           (gen_random_uuid(), $1, 'shop.example', $2, $3, 200, '\\x00', false),
           (gen_random_uuid(), $1, 'shop.example', $3, $4, 404, NULL, false),
           (gen_random_uuid(), $1, 'shop.example', $4, NULL, 200, '\\x00', false)`,
        [id, found, lost, back],
      );
    },
    fires: 60,
    recovers: 120,
    subject: 'shop.example',
  },
  no_visits: {
    happens: async (id) => {
      await storeBaseline(id, 40);
      await storeBaseline(id, 1, { from: START + 5 * HOUR_MS, until: START + 6 * HOUR_MS });
    },
    fires: 60,
    recovers: 5 * 60 + 15,
  },
  tool_errors: { happens: (id) => store(id, 25, failedCall), fires: 15, recovers: 120 },
  referral_spike: {
    happens: async (id) => {
      await storeBaseline(id, 1, { until: START + 4 * HOUR_MS });
      const referral = { assistant: 'ChatGPT', operator: 'OpenAI', source: 'referer', value: 'chatgpt.com' } as const;
      await store(id, 40, { insights: { referral } });
    },
    fires: 15,
    recovers: 120,
  },
};

const END = START + 6 * HOUR_MS;
const toMinutes = (time: Date | number | null): number | null =>
  time === null ? null : (new Date(time).getTime() - START) / 60_000;

it.each(ALERT_KIND_NAMES)('fires %s once, and recovers, at the times shown in the preview', async (kind) => {
  const [projectId, otherId] = [await newProject(), await newProject()];
  const settings = toAlertSettings({ kind });
  const created = (await alerts.create(projectId, settings)) as { id: string };
  await alerts.create(otherId, settings);
  const { happens, fires, recovers, subject = '' } = CASES[kind];
  await happens(projectId);
  const changes = await evaluate(END);
  const { lasts } = ALERT_KINDS[kind];
  const changesInMinutes = changes.map((change) => [
    change.alert_id,
    change.subject,
    toMinutes(change.fired_at),
    toMinutes(change.recovered_at),
  ]);
  const closedEvent = [created.id, subject, fires, lasts ? recovers : fires];
  expect(changesInMinutes).toEqual(lasts ? [[created.id, subject, fires, null], closedEvent] : [closedEvent]);
  const preview = await conditions.preview(projectId, settings, {
    first: new Date(START),
    last: new Date(END),
    limit: 1_000,
    snapshot: createLatestSnapshot(database.dataSource),
  });
  const { met, values } = preview!;
  const behavior = {
    cooldownMs: settings.cooldown_minutes * 60_000,
    recoveryMs: settings.recovery_minutes * 60_000,
    lasts,
    isCount: ALERT_KINDS[kind].test === 'count',
  };
  const previewed = simulateEvents(met, behavior, END);
  expect(previewed.map(({ firedAt, recoveredAt }) => [toMinutes(firedAt), toMinutes(recoveredAt)])).toEqual([
    [fires, lasts ? recovers : fires],
  ]);
  expect(previewed[0]).toMatchObject({ subject, value: changes[0]!.value, usual: changes[0]!.usual });
  // The chart's value crosses the line in the period in which the alert fires.
  const { test } = ALERT_KINDS[kind];
  const isMeasured = test !== 'seen' && test !== 'silence';
  const isLow = test === 'fall' || test === 'share_fall';
  const crossed = values.filter(
    ({ value, boundary }) => boundary !== null && (isLow ? value <= boundary : value >= boundary),
  );
  expect(crossed.map(({ time }) => toMinutes(time))).toEqual(isMeasured ? [0] : []);
});

it.each([
  ['the agent', { agent_id: agentId('ClaudeBot') }, { agent_id: agentId('GPTBot') }],
  ['the type', { agent_type: 'AI Search Crawler' }, { agent_type: 'AI Data Scraper' }],
  ['the operator', { operator: 'Anthropic' }, { operator: 'OpenAI' }],
] as [string, Partial<NewAlert>, Partial<NewAlert>][])(
  'fires only for %s that the alert selects',
  async (_, otherScope, matchingScope) => {
    const projectId = await newProject();
    await query(
      `INSERT INTO agents (id, bundled) VALUES ($1, '{"token":"GPTBot","type":"AI Data Scraper","operator":"OpenAI"}') ON CONFLICT DO NOTHING`,
      [agentId('GPTBot')],
    );
    await alerts.create(projectId, toAlertSettings({ kind: 'spoofing', ...otherScope }));
    const { id } = (await alerts.create(projectId, toAlertSettings({ kind: 'spoofing', ...matchingScope }))) as {
      id: string;
    };
    await CASES.spoofing.happens(projectId);
    expect((await evaluate(START + QUARTER_MS)).map(({ alert_id: alertId }) => alertId)).toEqual([id]);
  },
);

it('fires an alert once across several processes, even if one of them fails', async () => {
  const projectId = await newProject();
  await alerts.create(projectId, toAlertSettings({ kind: 'spoofing' }));
  await CASES.spoofing.happens(projectId);
  const other = new AlertEvaluationRepository(database.dataSource, conditions);
  const failing = evaluation.evaluateNext(START + QUARTER_MS + EVALUATION_DELAY_MS, async () => {
    throw new Error('the process crashed');
  });
  await expect(failing).rejects.toThrow('the process crashed');
  expect(await query('SELECT FROM alert_events')).toEqual([]);
  const changes = await evaluate(END, [evaluation, other, evaluation]);
  expect(changes.map(({ recovered_at: end }) => toMinutes(end))).toEqual([null, 120]);
  expect(await query('SELECT FROM alert_events')).toHaveLength(1);
});

it("retains events for 90 days after recovery, and each alert's last event indefinitely", async () => {
  const projectId = await newProject();
  const [one, other] = [
    await alerts.create(projectId, toAlertSettings({ kind: 'spoofing' })),
    await alerts.create(projectId, toAlertSettings({ kind: 'errors' })),
  ] as { id: string }[];
  const add = (alert: { id: string }, subject: string, firedDays: number, recoveredDays: number | null) => {
    const [fired, recovered] = [firedDays, recoveredDays].map((days) => days && new Date(START - days * DAY_MS));
    return query(
      `INSERT INTO alert_events (alert_id, project_id, subject, value, fired_at, last_met_at, recovered_at, rule)
       VALUES ($1, $2, $3, 25, $4, $4, $5, '{}')`,
      [alert.id, projectId, subject, fired, recovered],
    );
  };
  await add(one!, 'lasts', 200, null);
  await add(one!, 'old', 100, 91);
  await add(one!, 'recent', 99, 89);
  await add(other!, 'last of its alert', 100, 91);
  await evaluation.deleteOld(START);
  expect(
    (await query('SELECT subject FROM alert_events ORDER BY 1')).map(({ subject }: { subject: string }) => subject),
  ).toEqual(['last of its alert', 'lasts', 'recent']);
});

it('evaluates only the last six hours after an outage', async () => {
  const projectId = await newProject();
  await alerts.create(projectId, toAlertSettings({ kind: 'spoofing' }));
  await CASES.spoofing.happens(projectId);
  await query(`INSERT INTO alert_evaluation (evaluated_until) VALUES ($1)`, [new Date(START - 10 * DAY_MS)]);
  const times: number[] = [];
  const recordEvents = async (_: unknown, events: AlertChangeEvent[], at: Date) => {
    for (const each of events) times.push(toMinutes(each.recovered_at ?? each.fired_at)!);
    if (events.length === 0) times.push(NaN);
    expect(at.getTime()).toBeLessThanOrEqual(END);
  };
  // Nothing is evaluated if the expected time isn't the next one due.
  expect(await evaluation.evaluateNext(END + EVALUATION_DELAY_MS, recordEvents, END)).toBe(false);
  while (await evaluation.evaluateNext(END + EVALUATION_DELAY_MS, recordEvents)) continue;
  expect(times).toHaveLength(25);
  expect(times.filter((time) => !Number.isNaN(time))).toEqual([15, 120]);
  // No quarter hour is due anymore.
  expect(await evaluation.evaluateNext(END + EVALUATION_DELAY_MS, recordEvents)).toBe(false);
});

it('never reports the test agent as new, nor any agent in a project that is less than a day old', async () => {
  const createdAt = START - 10 * 60_000;
  const [young, old] = [await newProject({ createdAt }), await newProject()];
  for (const projectId of [young, old]) {
    await alerts.create(projectId, toAlertSettings({ kind: 'new_agent' }));
    // These visits are older than the project, as if an old log had been imported.
    await storeBaseline(projectId, 1, { until: START + 4 * HOUR_MS });
    await store(projectId, 1, { agent: TEST_AGENT.token });
    await store(projectId, 3, { agent: 'ClaudeBot' });
  }
  const changes = await evaluate(START + HOUR_MS);
  expect(changes.map((change) => [change.project_id, change.subject])).toEqual([[old, agentId('ClaudeBot')]]);
});

it("fires once for a new agent that is counted late, but only if it visited after the alert's creation", async () => {
  const projectId = await newProject();
  const create = async (createdAt: number): Promise<string> => {
    const alert = await alerts.create(projectId, toAlertSettings({ kind: 'new_agent', cooldown_minutes: 0 }));
    const { id } = alert as { id: string };
    await query(`UPDATE alerts SET created_at = $2 WHERE id = $1`, [id, new Date(createdAt)]);
    return id;
  };
  const early = await create(START - DAY_MS);
  const evaluateAndList = async (until: number) =>
    (await evaluate(until)).map((each) => [each.alert_id, each.subject, toMinutes(each.fired_at)]);
  const visit = (agent: string, minutes: number) =>
    store(projectId, 3, { agent, at: new Date(START + minutes * 60_000).toISOString() });
  await storeBaseline(projectId, 1, { until: END });
  await visit('PerplexityBot', 1);
  expect(await evaluateAndList(START + 2 * HOUR_MS)).toEqual([[early, agentId('PerplexityBot'), 15]]);
  const late = await create(START + HOUR_MS);
  // In order: a visit before the reported one, before the second alert existed, after it existed, and before the
  // lookback period.
  await visit('PerplexityBot', -30);
  await visit('ClaudeBot', 1);
  await visit('CCBot', 80);
  await visit('Bytespider', -6 * 60);
  const counted = await evaluateAndList(START + 2 * HOUR_MS + QUARTER_MS);
  expect(counted.toSorted()).toEqual(
    [
      [early, agentId('ClaudeBot'), 135],
      [early, agentId('CCBot'), 135],
      [late, agentId('CCBot'), 135],
    ].toSorted(),
  );
  expect(await evaluateAndList(END)).toEqual([]);
});

it('does not fire an alert during its cooldown or while it is disabled', async () => {
  const projectId = await newProject();
  const cooldownSettings = {
    kind: 'spoofing',
    window_minutes: 15,
    recovery_minutes: 0,
    cooldown_minutes: 120,
  } as const;
  const { id } = (await alerts.create(projectId, toAlertSettings(cooldownSettings))) as { id: string };
  for (const minutes of [1, 61, 121, 181]) {
    await store(projectId, 25, {
      ...gptBot,
      result: 'verification_failed',
      at: new Date(START + minutes * 60_000).toISOString(),
    });
  }
  const changes = await evaluate(START + 170 * 60_000);
  expect(changes.map((each) => toMinutes(each.recovered_at ?? each.fired_at))).toEqual([15, 30, 135, 150]);
  await alerts.change(projectId, id, { is_enabled: false });
  await query(`UPDATE alerts SET cooldown_minutes = 0`);
  await query(`UPDATE alert_evaluation SET evaluated_until = $1`, [new Date(START + 180 * 60_000)]);
  expect(
    await evaluation.evaluateNext(START + 195 * 60_000 + EVALUATION_DELAY_MS, async (_, events) =>
      expect(events).toEqual([]),
    ),
  ).toBe(true);
});

it('fires again during the cooldown when a count has doubled, as shown in the preview', async () => {
  const projectId = await newProject();
  const settings = toAlertSettings({
    kind: 'spoofing',
    window_minutes: 15,
    recovery_minutes: 0,
    cooldown_minutes: 1_440,
  });
  await alerts.create(projectId, settings);
  const counts = [25, 49, 50, 99];
  for (const [index, count] of counts.entries()) {
    await store(projectId, count, {
      ...gptBot,
      result: 'verification_failed',
      at: new Date(START + (1 + index * 60) * 60_000).toISOString(),
    });
  }
  const fired = (await evaluate(END)).filter(({ recovered_at: at }) => at === null);
  expect(fired.map(({ fired_at: at, value }) => [toMinutes(at), value])).toEqual([
    [15, 25],
    [135, 50],
  ]);
  const preview = await conditions.preview(projectId, settings, {
    first: new Date(START),
    last: new Date(END),
    limit: 1_000,
    snapshot: createLatestSnapshot(database.dataSource),
  });
  const behavior = { cooldownMs: 86_400_000, recoveryMs: 0, lasts: true, isCount: true };
  expect(simulateEvents(preview!.met, behavior, END).map(({ firedAt }) => toMinutes(firedAt))).toEqual([15, 135]);
});

it('closes open events when an alert is disabled or changed, so the alert can fire again', async () => {
  const projectId = await newProject();
  await storeBaseline(projectId, 4, { until: END });
  const [first, second] = [agentId('GPTBot'), agentId('ClaudeBot')];
  const settings = toAlertSettings({ kind: 'spike', agent_id: first, window_minutes: 60 });
  const { id } = (await alerts.create(projectId, settings)) as { id: string };
  const isFiring = async () => (await alerts.list(projectId, START))[0]!.state === 'firing';
  const change = (settings: AlertChange) => alerts.change(projectId, id, settings);
  await store(projectId, 300, { ...gptBot, result: 'verified' });
  expect(await evaluate(START + QUARTER_MS)).toHaveLength(1);
  await change({ agent_id: first.toUpperCase(), threshold: settings.threshold, cooldown_minutes: 60 });
  expect(await isFiring()).toBe(true);
  await change({ agent_id: second });
  expect(await isFiring()).toBe(false);
  await store(projectId, 300, { agent: 'ClaudeBot', at: new Date(START + 16 * 60_000).toISOString() });
  expect(await evaluate(START + 2 * QUARTER_MS)).toHaveLength(1);
  await change({ is_enabled: false });
  await change({ is_enabled: true });
  expect(await isFiring()).toBe(false);
  expect(await evaluate(START + 3 * QUARTER_MS)).toHaveLength(1);
  for (const each of [{ threshold: 4 }, { minimum: 100 }, { window_minutes: 120 }]) {
    await query(`UPDATE alert_events SET recovered_at = NULL WHERE fired_at = $1`, [new Date(START + 3 * QUARTER_MS)]);
    await change(each);
    expect(await isFiring()).toBe(false);
  }
  const scope = { agent_type: null, operator: null, window_minutes: 60 };
  expect((await alerts.listEvents(projectId)).map(({ fired_at: at, rule }) => [toMinutes(at), rule])).toEqual([
    [45, { ...scope, agent_id: second }],
    [30, { ...scope, agent_id: second }],
    [15, { ...scope, agent_id: first }],
  ]);
});

it.each([
  ['an alert', 'DELETE FROM alerts WHERE id = $1'],
  ['a project', 'DELETE FROM projects WHERE id = (SELECT project_id FROM alerts WHERE id = $1)'],
])('allows %s to be deleted while an alert is being evaluated', async (_, statement) => {
  const projectId = await newProject();
  const { id } = (await alerts.create(projectId, toAlertSettings({ kind: 'spoofing' }))) as { id: string };
  const spoof = (agent: string, minutes: number) =>
    store(projectId, 25, {
      agent,
      result: 'verification_failed',
      at: new Date(START + minutes * 60_000).toISOString(),
    });
  for (const agent of ['GPTBot', 'ClaudeBot', 'CCBot']) await spoof(agent, 1);
  expect(await evaluate(START + QUARTER_MS)).toHaveLength(3);
  await spoof('PerplexityBot', 16);
  const waiting = async (): Promise<number> =>
    (await query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`))
      .length;
  // At this point, the evaluation has updated one event and is about to insert another.
  const holder = database.dataSource.createQueryRunner();
  await holder.startTransaction();
  await holder.query(`SELECT FROM alert_events WHERE subject <> $1 FOR UPDATE`, [agentId('GPTBot')]);
  const evaluated = evaluate(START + 2 * QUARTER_MS);
  await until(async () => (await waiting()) === 1, { condition: 'the evaluation waits for a lock' });
  const deleted = query(statement, [id]);
  await until(async () => (await waiting()) === 2, { condition: 'the deletion waits for a lock' });
  await holder.commitTransaction();
  await holder.release();
  expect(await evaluated).toHaveLength(1);
  await deleted;
  expect(await query('SELECT FROM alert_events')).toEqual([]);
});
