import type { PipelineQueue } from '#libs/bus';
import { agentId } from '#libs/catalog';
import { CONSUMER_GROUPS, TOPICS } from '#libs/contracts';
import { AlertConditionsRepository } from '#libs/visit-store';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { createRepository } from '../../../../test/kit/visit-store.js';
import { AlertsRepository, toAlertSettings } from './alerts.repository.js';
import { DeliveriesRepository } from './channels/deliveries.repository.js';
import { ConditionsRepository } from './conditions.repository.js';
import { ImmediatelyCountedVisits, QueuedVisits } from './counted-visits.service.js';
import { AlertEvaluationRepository } from './evaluation.repository.js';
import { AlertEvaluationService } from './evaluation.service.js';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const START = Date.parse('2026-11-20T09:00:00Z');

let database: TestDatabase;
let evaluation: AlertEvaluationRepository;
let now = START;
/** Time of the oldest unhandled message by consumer group. A group without an entry has handled all messages. */
const oldestUnhandled = new Map<string, number>();
const queue = {
  hasHandled: async (_topic: string, group: string, before: number) =>
    (oldestUnhandled.get(group) ?? Infinity) >= before,
} as PipelineQueue;
const logger = pino({ level: 'silent' });

beforeAll(async () => {
  database = await startTestDatabase();
  const { dataSource } = database;
  const conditions = new ConditionsRepository(
    dataSource,
    await createRepository(dataSource, AlertConditionsRepository),
  );
  evaluation = new AlertEvaluationRepository(dataSource, conditions);
});
beforeEach(() => oldestUnhandled.clear());
afterAll(() => database?.stop());

const query = (sql: string, parameters: unknown[] = []) => database.dataSource.query(sql, parameters);
const newVisits = (pipelineQueue = queue): QueuedVisits =>
  new QueuedVisits(evaluation, pipelineQueue, () => now, logger);
const addToOutbox = (receivedAt: number) =>
  query(`INSERT INTO visits_outbox (topic, value, headers, created_at) VALUES ($1, '', '{}', $2)`, [
    TOPICS.visitsReceived,
    new Date(receivedAt),
  ]);

it('waits for earlier visits that are still in the outbox or waiting for enrichment or ingest', async () => {
  const until = START + QUARTER_MS;
  now = until + 2 * MINUTE_MS;
  const visits = newVisits();
  expect(await visits.areComplete(until)).toBe(true);
  await addToOutbox(until - 1);
  const delayedVisits = newVisits();
  expect(await delayedVisits.areComplete(until)).toBe(false);
  // Without a queue, the outbox is never emptied, so it must not be checked.
  expect(await new ImmediatelyCountedVisits().areComplete()).toBe(true);
  await query('TRUNCATE visits_outbox');
  await addToOutbox(until + 1);
  oldestUnhandled.set(CONSUMER_GROUPS.enrichment, until - 1);
  expect(await delayedVisits.areComplete(until)).toBe(false);
  // The visits left the outbox later. Kafka records that time instead of the time they were received.
  now += 30 * MINUTE_MS;
  oldestUnhandled.set(CONSUMER_GROUPS.enrichment, until + MINUTE_MS);
  expect(await delayedVisits.areComplete(until)).toBe(false);
  // Enrichment has identified the visits, but ingest hasn't stored them yet.
  oldestUnhandled.set(CONSUMER_GROUPS.enrichment, until + 2 * MINUTE_MS);
  oldestUnhandled.set(CONSUMER_GROUPS.ingest, now - 1);
  expect(await delayedVisits.areComplete(until)).toBe(false);
  now += MINUTE_MS;
  oldestUnhandled.set(CONSUMER_GROUPS.ingest, now - MINUTE_MS);
  expect(await delayedVisits.areComplete(until)).toBe(true);
  await query('TRUNCATE visits_outbox');
});

it('treats visits as complete if the queue does not respond and the outbox is empty', async () => {
  const unreachableQueue = { hasHandled: () => Promise.reject(new Error('no broker')) } as unknown as PipelineQueue;
  const visits = newVisits(unreachableQueue);
  now = START + 2 * MINUTE_MS;
  expect(await visits.areComplete(START)).toBe(true);
  await addToOutbox(START - 1);
  expect(await newVisits(unreachableQueue).areComplete(START)).toBe(false);
  await query('TRUNCATE visits_outbox');
});

describe('AlertEvaluationService', () => {
  const id = v7();
  const report = (from: number, until: number, result = 'verified', visits = 40) =>
    query(
      `INSERT INTO visit_counts (project_id, bucket, agent_id, agent_type, result, visits, last_at)
       SELECT $1, at, $2, 'AI Data Scraper', $5, $6, at FROM generate_series($3::timestamptz, $4::timestamptz, '15 minutes') at`,
      [id, agentId('GPTBot'), new Date(from), new Date(until - QUARTER_MS), result, visits],
    );
  const newService = (): AlertEvaluationService =>
    new AlertEvaluationService(
      evaluation,
      newVisits(),
      new AlertsRepository(database.dataSource),
      new DeliveriesRepository(database.dataSource),
      'http://127.0.0.1:3000',
      () => now,
      logger,
    );
  const events = async (): Promise<unknown[]> =>
    (
      await query(
        `SELECT kind, fired_at, recovered_at FROM alert_events e JOIN alerts a ON a.id = e.alert_id ORDER BY fired_at, kind`,
      )
    ).map((row: { kind: string; fired_at: Date; recovered_at: Date | null }) => [
      row.kind,
      (row.fired_at.getTime() - START) / MINUTE_MS,
      row.recovered_at && (row.recovered_at.getTime() - START) / MINUTE_MS,
    ]);

  beforeEach(async () => {
    await query('TRUNCATE projects, alert_evaluation, visit_counts CASCADE');
    await query(`INSERT INTO projects (id, name) VALUES ($1, 'Shop')`, [id]);
    await query(`INSERT INTO alert_evaluation (evaluated_until) VALUES ($1)`, [new Date(START)]);
    const alerts = new AlertsRepository(database.dataSource);
    for (const kind of ['no_visits', 'drop', 'verified_share', 'spoofing'] as const) {
      await alerts.create(id, toAlertSettings({ kind }));
    }
    await report(START - 96 * QUARTER_MS, START);
    oldestUnhandled.set(CONSUMER_GROUPS.ingest, START);
  });

  it('does not report missing visits while visits are waiting to be counted', async () => {
    const service = newService();
    now = START + 8 * QUARTER_MS + 2 * MINUTE_MS;
    await service.evaluateDue();
    expect([await evaluation.evaluatedUntil(), await events()]).toEqual([new Date(START), []]);
    await report(START, START + 8 * QUARTER_MS);
    oldestUnhandled.clear();
    await service.evaluateDue();
    expect([await evaluation.evaluatedUntil(), await events()]).toEqual([new Date(START + 8 * QUARTER_MS), []]);
  });

  it('fires once based on the visits counted so far, and evaluates the waiting visits later', async () => {
    const services = [newService(), newService()];
    const evaluate = async (): Promise<unknown[]> => {
      await Promise.all(services.map((service) => service.evaluateDue()));
      for (const service of services) await service.evaluateDue();
      return events();
    };
    await report(START + 8 * QUARTER_MS, START + 9 * QUARTER_MS, 'verification_failed', 25);
    now = START + 8 * QUARTER_MS + 2 * MINUTE_MS;
    expect(await evaluate()).toEqual([]);
    now += QUARTER_MS;
    expect(await evaluate()).toEqual([['spoofing', 135, null]]);
    now += 8 * QUARTER_MS;
    expect(await evaluate()).toEqual([['spoofing', 135, null]]);
    expect(await evaluation.evaluatedUntil()).toEqual(new Date(START));
    await report(START, START + 17 * QUARTER_MS);
    // The condition had already been met once and recovered before. Nevertheless, the event that was fired early stays
    // open.
    await report(START, START + QUARTER_MS, 'verification_failed', 25);
    oldestUnhandled.clear();
    expect(await evaluate()).toEqual([['spoofing', 135, 240]]);
    expect(await evaluation.evaluatedUntil()).toEqual(new Date(START + 17 * QUARTER_MS));
  });

  it('does not fire early if waiting visits could still change the result', async () => {
    await new AlertsRepository(database.dataSource).create(id, toAlertSettings({ kind: 'spike' }));
    await report(START + 7 * QUARTER_MS, START + 9 * QUARTER_MS, 'verified', 4_000);
    const service = newService();
    now = START + 9 * QUARTER_MS + 2 * MINUTE_MS;
    await service.evaluateDue();
    now += 3 * MINUTE_MS;
    await service.evaluateDue();
    expect(await events()).toEqual([]);
    await report(START, START + 7 * QUARTER_MS);
    oldestUnhandled.clear();
    now += MINUTE_MS;
    await service.evaluateDue();
    expect(await events()).toMatchObject([['spike', 120, null]]);
  });

  it('delays early firing after a console outage, because visits may already be counted', async () => {
    await report(START, START + 17 * QUARTER_MS);
    await report(START + 8 * QUARTER_MS, START + 9 * QUARTER_MS, 'verification_failed', 25);
    const service = newService();
    now = START + 17 * QUARTER_MS + 2 * MINUTE_MS;
    await service.evaluateDue();
    now += MINUTE_MS;
    await service.evaluateDue();
    expect(await events()).toEqual([]);
    now += 2 * MINUTE_MS;
    await service.evaluateDue();
    expect(await events()).toMatchObject([['spoofing', 135, null]]);
  });
});
