import type { Bus } from '#libs/bus';
import { agentId } from '#libs/catalog';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { AlertsRepository, settingsOf } from './alerts.repository.js';
import { DeliveriesRepository } from './channels/deliveries.repository.js';
import { CountedVisits } from './counted-visits.service.js';
import { AlertEvaluationRepository } from './evaluation.repository.js';
import { AlertEvaluationService } from './evaluation.service.js';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const START = Date.parse('2026-11-20T09:00:00Z');

let database: TestDatabase;
let evaluation: AlertEvaluationRepository;
let now = START;
/** Since when messages of a group wait; all are handled without. */
const waiting = new Map<string, number>();
const bus = {
  hasQueue: true,
  hasHandled: async (_topic: string, group: string, before: number) => (waiting.get(group) ?? Infinity) >= before,
} as Bus;
const logger = pino({ level: 'silent' });

beforeAll(async () => {
  database = await startTestDatabase();
  evaluation = new AlertEvaluationRepository(database.dataSource);
});
beforeEach(() => waiting.clear());
afterAll(() => database?.stop());

const query = (sql: string, parameters: unknown[] = []) => database.dataSource.query(sql, parameters);
const newVisits = (of = bus): CountedVisits => new CountedVisits(evaluation, of, () => now, logger);
const addToOutbox = (receivedAt: number) =>
  query(`INSERT INTO visits_outbox (topic, value, headers, created_at) VALUES ($1, '', '{}', $2)`, [
    TOPICS.visitsReceived,
    new Date(receivedAt),
  ]);

it('waits for what was received before, on its whole way', async () => {
  const until = START + QUARTER_MS;
  now = until + 2 * MINUTE_MS;
  const visits = newVisits();
  expect(await visits.areComplete(until)).toBe(true);
  await addToOutbox(until - 1);
  const behind = newVisits();
  expect(await behind.areComplete(until)).toBe(false);
  // Without a queue, nothing empties the outbox.
  expect(await newVisits({ hasQueue: false } as Bus).areComplete(until)).toBe(true);
  await query('TRUNCATE visits_outbox');
  await addToOutbox(until + 1);
  waiting.set(CONSUMER_GROUPS.enrichment, until - 1);
  expect(await behind.areComplete(until)).toBe(false);
  // The outbox has sent them on, so to Kafka they are of then.
  now += 30 * MINUTE_MS;
  waiting.set(CONSUMER_GROUPS.enrichment, until + MINUTE_MS);
  expect(await behind.areComplete(until)).toBe(false);
  // They are identified now, and wait for ingest.
  waiting.set(CONSUMER_GROUPS.enrichment, until + 2 * MINUTE_MS);
  waiting.set(CONSUMER_GROUPS.ingest, now - 1);
  expect(await behind.areComplete(until)).toBe(false);
  now += MINUTE_MS;
  waiting.set(CONSUMER_GROUPS.ingest, now - MINUTE_MS);
  expect(await behind.areComplete(until)).toBe(true);
  await query('TRUNCATE visits_outbox');
});

it('counts on, and tells of the outbox, while the queue does not answer', async () => {
  const away = { hasQueue: true, hasHandled: () => Promise.reject(new Error('no broker')) } as unknown as Bus;
  const visits = newVisits(away);
  now = START + 2 * MINUTE_MS;
  expect(await visits.areComplete(START)).toBe(true);
  await addToOutbox(START - 1);
  expect(await newVisits(away).areComplete(START)).toBe(false);
  await query('TRUNCATE visits_outbox');
});

it('does not take visits that wait for a site that reports nothing', async () => {
  const id = v7();
  const report = (from: number, until: number) =>
    query(
      `INSERT INTO visit_counts (project_id, bucket, agent_id, agent_type, result, visits, last_at)
       SELECT $1, at, $2, 'AI Data Scraper', 'verified', 40, at FROM generate_series($3::timestamptz, $4::timestamptz, '15 minutes') at`,
      [id, agentId('GPTBot'), new Date(from), new Date(until - QUARTER_MS)],
    );
  const alerts = new AlertsRepository(database.dataSource);
  const service = new AlertEvaluationService(
    evaluation,
    newVisits(),
    alerts,
    new DeliveriesRepository(database.dataSource),
    'http://127.0.0.1:3000',
    () => now,
    logger,
  );
  const state = async () => [await evaluation.evaluatedUntil(), (await query('SELECT FROM alert_events')).length];
  await query(`INSERT INTO projects (id, name) VALUES ($1, 'Shop')`, [id]);
  await alerts.create(id, settingsOf({ kind: 'no_visits' }));
  await report(START - 96 * QUARTER_MS, START);
  await query(`INSERT INTO alert_evaluation (evaluated_until) VALUES ($1)`, [new Date(START)]);
  now = START + 8 * QUARTER_MS + 2 * MINUTE_MS;
  waiting.set(CONSUMER_GROUPS.ingest, START);
  await service.evaluateDue();
  expect(await state()).toEqual([new Date(START), 0]);
  await report(START, START + 8 * QUARTER_MS);
  waiting.clear();
  await service.evaluateDue();
  expect(await state()).toEqual([new Date(START + 8 * QUARTER_MS), 0]);
});
