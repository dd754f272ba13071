import { agentId, TEST_AGENT } from '#libs/catalog';
import { ALERT_KIND_NAMES, ALERT_KINDS, type AlertChange, type AlertKind, type NewAlert } from '#libs/contracts';
import { AlertConditionsRepository } from '#libs/visit-store';
import { v7 } from 'uuid';
import { until } from '../../../../test/kit/instance.js';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { newestState } from '../../../../test/kit/snapshot.js';
import { storeVisits, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { AlertsRepository, settingsOf } from './alerts.repository.js';
import { ConditionsRepository } from './conditions.repository.js';
import { AlertEvaluationRepository, type AlertChangeEvent } from './evaluation.repository.js';
import { eventsOf } from './preview.js';

const QUARTER_MS = 900_000;
const HOUR_MS = 4 * QUARTER_MS;
/** End of the baseline and start of the events under test. */
const START = Date.parse('2026-11-20T09:00:00Z');
const DAY_MS = 24 * HOUR_MS;
const LATER_MS = 120_000;

let database: TestDatabase;
let conditions: ConditionsRepository;
let evaluation: AlertEvaluationRepository;
let alerts: AlertsRepository;

beforeAll(async () => {
  database = await startTestDatabase();
  const { dataSource } = database;
  conditions = new ConditionsRepository(dataSource, new AlertConditionsRepository(dataSource));
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

/** Counts this many visits of GPTBot in each quarter hour, by default for the two days before START. */
async function usually(
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
 * Evaluates each quarter hour until a time.
 * @returns events that fired or recovered, in order
 */
async function evaluate(until: number, evaluations = [evaluation]): Promise<AlertChangeEvent[]> {
  const changes: AlertChangeEvent[] = [];
  await query(`INSERT INTO alert_evaluation (evaluated_until) VALUES ($1) ON CONFLICT DO NOTHING`, [new Date(START)]);
  for (let at = START + QUARTER_MS; at <= until; at += QUARTER_MS) {
    await Promise.all(
      evaluations.map((each) =>
        each.evaluateNext(at + LATER_MS, async (_, events) => {
          changes.push(...events);
        }),
      ),
    );
  }
  return changes;
}

const gptBot = { agent: 'GPTBot', type: 'AI Data Scraper' };
const judged = { robots: { verdict: 'allowed', version: null, line: null } } as const;
const disallowed = { robots: { verdict: 'disallowed', version: null, line: null } } as const;
const failedCall = {
  extra: { mcp_request_method: 'tools/call', mcp_request_tool_name: 'search', mcp_response_result_is_error: true },
};

/** Scenario per alert kind, with the minutes after START at which the alert fires and recovers. */
const CASES: Record<
  AlertKind,
  { happens: (projectId: string) => Promise<void>; fires: number; recovers: number | null; subject?: string }
> = {
  new_agent: {
    happens: async (id) => {
      await usually(id, 1, { until: START + 4 * HOUR_MS });
      await store(id, 3, { agent: 'ClaudeBot' });
    },
    fires: 15,
    recovers: null,
    subject: agentId('ClaudeBot'),
  },
  spike: {
    happens: async (id) => {
      await usually(id, 4, { until: START + 4 * HOUR_MS });
      await store(id, 300, { ...gptBot, result: 'verified' });
    },
    fires: 15,
    // One hour until the window has passed, and one until recovery.
    recovers: 120,
  },
  drop: {
    happens: async (id) => {
      await usually(id, 40);
      await usually(id, 40, { from: START + 2 * HOUR_MS, until: START + 6 * HOUR_MS });
    },
    // Half an hour without visits is enough. Half an hour after they resume, they are within three deviations.
    fires: 30,
    recovers: 195,
  },
  spoofing: {
    happens: (id) => store(id, 25, { ...gptBot, result: 'verification_failed' }),
    fires: 15,
    recovers: 120,
    subject: agentId('GPTBot'),
  },
  verified_share: {
    happens: async (id) => {
      await usually(id, 20, { until: START + 4 * HOUR_MS });
      await store(id, 60, { ...gptBot, result: 'not_verifiable' });
    },
    fires: 15,
    recovers: 120,
  },
  errors: {
    happens: (id) => store(id, 60, { ...gptBot, status: 500, insights: judged }),
    fires: 15,
    recovers: 120,
    subject: agentId('GPTBot'),
  },
  blocked: {
    happens: (id) => store(id, 25, { ...gptBot, status: 403, insights: judged }),
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
      await usually(id, 40);
      await usually(id, 1, { from: START + 5 * HOUR_MS, until: START + 6 * HOUR_MS });
    },
    fires: 60,
    recovers: 5 * 60 + 15,
  },
  tool_errors: { happens: (id) => store(id, 25, failedCall), fires: 15, recovers: 120 },
  referral_spike: {
    happens: async (id) => {
      await usually(id, 1, { until: START + 4 * HOUR_MS });
      const referral = { assistant: 'ChatGPT', operator: 'OpenAI', source: 'referer', value: 'chatgpt.com' } as const;
      await store(id, 40, { insights: { referral } });
    },
    fires: 15,
    recovers: 120,
  },
};

const END = START + 6 * HOUR_MS;
const minutesOf = (time: Date | number | null): number | null =>
  time === null ? null : (new Date(time).getTime() - START) / 60_000;

it.each(ALERT_KIND_NAMES)('fires and recovers once, at the times of the preview: %s', async (kind) => {
  const [projectId, otherId] = [await newProject(), await newProject()];
  const settings = settingsOf({ kind });
  const created = (await alerts.create(projectId, settings)) as { id: string };
  await alerts.create(otherId, settings);
  const { happens, fires, recovers, subject = '' } = CASES[kind];
  await happens(projectId);
  const changes = await evaluate(END);
  const { lasts } = ALERT_KINDS[kind];
  const told = changes.map((change) => [
    change.alert_id,
    change.subject,
    minutesOf(change.fired_at),
    minutesOf(change.recovered_at),
  ]);
  const ended = [created.id, subject, fires, lasts ? recovers : fires];
  expect(told).toEqual(lasts ? [[created.id, subject, fires, null], ended] : [ended]);
  const met = await conditions.preview(projectId, settings, {
    first: new Date(START + QUARTER_MS),
    last: new Date(END),
    snapshot: newestState(database.dataSource),
  });
  const behavior = {
    cooldownMs: settings.cooldown_minutes * 60_000,
    recoveryMs: settings.recovery_minutes * 60_000,
    lasts,
  };
  const previewed = eventsOf(met, behavior, END);
  expect(previewed.map(({ firedAt, recoveredAt }) => [minutesOf(firedAt), minutesOf(recoveredAt)])).toEqual([
    [fires, lasts ? recovers : fires],
  ]);
  expect(previewed[0]).toMatchObject({ subject, value: changes[0]!.value, usual: changes[0]!.usual });
});

it.each([
  ['the agent', { agent_id: agentId('ClaudeBot') }, { agent_id: agentId('GPTBot') }],
  ['the type', { agent_type: 'AI Search Crawler' }, { agent_type: 'AI Data Scraper' }],
  ['the operator', { operator: 'Anthropic' }, { operator: 'OpenAI' }],
] as [string, Partial<NewAlert>, Partial<NewAlert>][])('fires only for %s that it selects', async (_, others, its) => {
  const projectId = await newProject();
  await query(
    `INSERT INTO agents (id, bundled) VALUES ($1, '{"token":"GPTBot","type":"AI Data Scraper","operator":"OpenAI"}') ON CONFLICT DO NOTHING`,
    [agentId('GPTBot')],
  );
  await alerts.create(projectId, settingsOf({ kind: 'spoofing', ...others }));
  const { id } = (await alerts.create(projectId, settingsOf({ kind: 'spoofing', ...its }))) as { id: string };
  await CASES.spoofing.happens(projectId);
  expect((await evaluate(START + QUARTER_MS)).map(({ alert_id: alertId }) => alertId)).toEqual([id]);
});

it('fires once with several processes, even if one of them fails', async () => {
  const projectId = await newProject();
  await alerts.create(projectId, settingsOf({ kind: 'spoofing' }));
  await CASES.spoofing.happens(projectId);
  const other = new AlertEvaluationRepository(database.dataSource, conditions);
  const failing = evaluation.evaluateNext(START + QUARTER_MS + LATER_MS, async () => {
    throw new Error('the process ends');
  });
  await expect(failing).rejects.toThrow('the process ends');
  expect(await query('SELECT FROM alert_events')).toEqual([]);
  const changes = await evaluate(END, [evaluation, other, evaluation]);
  expect(changes.map(({ recovered_at: end }) => minutesOf(end))).toEqual([null, 120]);
  expect(await query('SELECT FROM alert_events')).toHaveLength(1);
});

it('keeps events for 90 days after recovery, and the last event of each alert', async () => {
  const projectId = await newProject();
  const [one, other] = [
    await alerts.create(projectId, settingsOf({ kind: 'spoofing' })),
    await alerts.create(projectId, settingsOf({ kind: 'errors' })),
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

it('catches up on the last six hours after an outage', async () => {
  const projectId = await newProject();
  await alerts.create(projectId, settingsOf({ kind: 'spoofing' }));
  await CASES.spoofing.happens(projectId);
  await query(`INSERT INTO alert_evaluation (evaluated_until) VALUES ($1)`, [new Date(START - 10 * DAY_MS)]);
  const times: number[] = [];
  const note = async (_: unknown, events: AlertChangeEvent[], at: Date) => {
    for (const each of events) times.push(minutesOf(each.recovered_at ?? each.fired_at)!);
    if (events.length === 0) times.push(NaN);
    expect(at.getTime()).toBeLessThanOrEqual(END);
  };
  // Evaluates nothing if the given time isn't the next one due.
  expect(await evaluation.evaluateNext(END + LATER_MS, note, END)).toBe(false);
  while (await evaluation.evaluateNext(END + LATER_MS, note)) continue;
  expect(times).toHaveLength(25);
  expect(times.filter((time) => !Number.isNaN(time))).toEqual([15, 120]);
  // Nothing is due.
  expect(await evaluation.evaluateNext(END + LATER_MS, note)).toBe(false);
});

it('reports neither the test agent nor agents of a project younger than a day as new', async () => {
  const createdAt = START - 10 * 60_000;
  const [young, old] = [await newProject({ createdAt }), await newProject()];
  for (const projectId of [young, old]) {
    await alerts.create(projectId, settingsOf({ kind: 'new_agent' }));
    // Like after the import of an old log.
    await usually(projectId, 1, { until: START + 4 * HOUR_MS });
    await store(projectId, 1, { agent: TEST_AGENT.token });
    await store(projectId, 3, { agent: 'ClaudeBot' });
  }
  const changes = await evaluate(START + HOUR_MS);
  expect(changes.map((change) => [change.project_id, change.subject])).toEqual([[old, agentId('ClaudeBot')]]);
});

it('fires once for a new agent counted late, and only if seen after the alert was created', async () => {
  const projectId = await newProject();
  const create = async (createdAt: number): Promise<string> => {
    const alert = await alerts.create(projectId, settingsOf({ kind: 'new_agent', cooldown_minutes: 0 }));
    const { id } = alert as { id: string };
    await query(`UPDATE alerts SET created_at = $2 WHERE id = $1`, [id, new Date(createdAt)]);
    return id;
  };
  const early = await create(START - DAY_MS);
  const tells = async (until: number) =>
    (await evaluate(until)).map((each) => [each.alert_id, each.subject, minutesOf(each.fired_at)]);
  const visit = (agent: string, minutes: number) =>
    store(projectId, 3, { agent, at: new Date(START + minutes * 60_000).toISOString() });
  await usually(projectId, 1, { until: END });
  await visit('PerplexityBot', 1);
  expect(await tells(START + 2 * HOUR_MS)).toEqual([[early, agentId('PerplexityBot'), 15]]);
  const late = await create(START + HOUR_MS);
  // In order: before the reported visit, before the second alert existed, after that, and before the lookback.
  await visit('PerplexityBot', -30);
  await visit('ClaudeBot', 1);
  await visit('CCBot', 80);
  await visit('Bytespider', -6 * 60);
  const counted = await tells(START + 2 * HOUR_MS + QUARTER_MS);
  expect(counted.toSorted()).toEqual(
    [
      [early, agentId('ClaudeBot'), 135],
      [early, agentId('CCBot'), 135],
      [late, agentId('CCBot'), 135],
    ].toSorted(),
  );
  expect(await tells(END)).toEqual([]);
});

it('does not fire during the cooldown or while it is disabled', async () => {
  const projectId = await newProject();
  const cooled = { kind: 'spoofing', window_minutes: 15, recovery_minutes: 0, cooldown_minutes: 120 } as const;
  const { id } = (await alerts.create(projectId, settingsOf(cooled))) as { id: string };
  for (const minutes of [1, 61, 121, 181]) {
    await store(projectId, 25, {
      ...gptBot,
      result: 'verification_failed',
      at: new Date(START + minutes * 60_000).toISOString(),
    });
  }
  const changes = await evaluate(START + 170 * 60_000);
  expect(changes.map((each) => minutesOf(each.recovered_at ?? each.fired_at))).toEqual([15, 30, 135, 150]);
  await alerts.change(projectId, id, { is_enabled: false });
  await query(`UPDATE alerts SET cooldown_minutes = 0`);
  await query(`UPDATE alert_evaluation SET evaluated_until = $1`, [new Date(START + 180 * 60_000)]);
  expect(
    await evaluation.evaluateNext(START + 195 * 60_000 + LATER_MS, async (_, events) => expect(events).toEqual([])),
  ).toBe(true);
});

it('ends events when an alert is disabled or changes scope, and then fires again', async () => {
  const projectId = await newProject();
  await usually(projectId, 4, { until: END });
  const [first, second] = [agentId('GPTBot'), agentId('ClaudeBot')];
  const settings = settingsOf({ kind: 'spike', agent_id: first, window_minutes: 60 });
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
  expect((await alerts.events(projectId)).map(({ fired_at: at, rule }) => [minutesOf(at), rule])).toEqual([
    [45, { ...scope, agent_id: second }],
    [30, { ...scope, agent_id: second }],
    [15, { ...scope, agent_id: first }],
  ]);
});

it.each([
  ['an alert', 'DELETE FROM alerts WHERE id = $1'],
  ['a project', 'DELETE FROM projects WHERE id = (SELECT project_id FROM alerts WHERE id = $1)'],
])('allows deleting %s during its evaluation', async (_, statement) => {
  const projectId = await newProject();
  const { id } = (await alerts.create(projectId, settingsOf({ kind: 'spoofing' }))) as { id: string };
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
  // The evaluation has updated one event and is about to add another.
  const holder = database.dataSource.createQueryRunner();
  await holder.startTransaction();
  await holder.query(`SELECT FROM alert_events WHERE subject <> $1 FOR UPDATE`, [agentId('GPTBot')]);
  const evaluated = evaluate(START + 2 * QUARTER_MS);
  await until(async () => (await waiting()) === 1, { what: 'the evaluation waits' });
  const deleted = query(statement, [id]);
  await until(async () => (await waiting()) === 2, { what: 'the deletion waits' });
  await holder.commitTransaction();
  await holder.release();
  expect(await evaluated).toHaveLength(1);
  await deleted;
  expect(await query('SELECT FROM alert_events')).toEqual([]);
});
