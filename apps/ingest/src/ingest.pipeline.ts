import { Inject, Injectable } from '@nestjs/common';
import { OK, refused, runPipeline, TransientError, type Outcome, type ReceivedMessage, type Step } from '#libs/bus';
import { PubSub } from '#libs/cache';
import { RECEIVED_HEADERS, timeOfId, visitsChannel, type EnrichedVisit } from '#libs/contracts';
import { isPermanent, sqlState } from '#libs/database';
import { errorMessage, LOGGER, traceIdOf, type Logger } from '#libs/platform';
import { Histogram } from 'prom-client';
import { dayOf, PartitionsRepository } from './partitions.repository.js';
import { RetentionSetting } from './retention-setting.service.js';
import { readEnrichedVisit } from './steps/read-enriched-visit.step.js';
import { visitRow, type KeptDays, type VisitRow } from './steps/visit-row.step.js';
import { VisitsRepository } from './visits.repository.js';

/** SQLSTATE of a row without a partition: somebody dropped it since it was seen. */
const NO_PARTITION = '23514';

const receiptToStored = new Histogram({
  name: 'agent_traffic_ingest_receipt_to_stored_seconds',
  help: 'Time from the receipt of the oldest visit of a batch until the batch is stored; batches of repeats do not count',
  buckets: [0.05, 0.2, 0.5, 1, 2, 5, 20, 60, 300, 3_600],
});

/** What a message has become, with its position in the batch. */
interface Positioned<T> {
  position: number;
  value: T;
}

interface IngestBatch {
  messages: readonly ReceivedMessage[];
  outcomes: Outcome[];
  visits: Positioned<EnrichedVisit>[];
  rows: Positioned<VisitRow>[];
  /** Projects with new visits. */
  projects: Set<string>;
}

/** visits.enriched → rows → PostgreSQL, with their counts → live streams. */
@Injectable()
export class IngestPipeline {
  private readonly steps: readonly Step<IngestBatch>[] = [
    { name: 'read', run: read },
    { name: 'row', run: (batch) => this.makeRows(batch) },
    {
      name: 'store',
      span: { name: 'INSERT visits', kind: 'client', attributes: { 'db.system.name': 'postgresql' } },
      run: (batch) => this.store(batch),
    },
    { name: 'announce', run: (batch) => this.announce(batch) },
  ];

  constructor(
    private readonly visits: VisitsRepository,
    private readonly partitions: PartitionsRepository,
    private readonly pubSub: PubSub,
    @Inject(RetentionSetting) private readonly retention: KeptDays,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(messages: readonly ReceivedMessage[]): Promise<Outcome[]> {
    const outcomes = messages.map(() => OK);
    const batch: IngestBatch = { messages, outcomes, visits: [], rows: [], projects: new Set() };
    await runPipeline('ingest', this.steps, batch);
    return outcomes;
  }

  private makeRows(batch: IngestBatch): void {
    const { visits, rows, outcomes } = batch;
    const now = Date.now();
    for (const { position, value } of visits) {
      const result = visitRow(value, now, this.retention);
      if (result.ok) rows.push({ position, value: result.value });
      else outcomes[position] = result.outcome;
    }
    // The batch is under way until the rows are stored.
    batch.visits = [];
  }

  private async store({ rows, outcomes, projects }: IngestBatch): Promise<void> {
    if (rows.length === 0) return;
    try {
      await this.partitions.ensure(new Set(rows.map(({ value }) => dayOf(timeOfId(value.id)))));
      for (const projectId of await this.storeRows(rows, outcomes)) projects.add(projectId);
      if (projects.size > 0) receiptToStored.observe(secondsSinceReceipt(rows));
    } catch (error) {
      if (sqlState(error) === NO_PARTITION) this.partitions.forget();
      throw new TransientError('the database does not take the visits', { cause: error });
    }
  }

  /** Stores what can be stored: a row the database refuses for good is found by halving and left to the dead letters. */
  private async storeRows(rows: readonly Positioned<VisitRow>[], outcomes: Outcome[]): Promise<string[]> {
    try {
      return await this.visits.store(rows.map(({ value }) => value));
    } catch (error) {
      if (!isPermanent(error) || sqlState(error) === NO_PARTITION) throw error;
      if (rows.length === 1) {
        const detail = `${sqlState(error)}: ${errorMessage(error)}`;
        outcomes[rows[0]!.position] = refused('refused_by_database', detail, 'ingest:store').outcome;
        return [];
      }
      const middle = rows.length >> 1;
      const first = await this.storeRows(rows.slice(0, middle), outcomes);
      return [...first, ...(await this.storeRows(rows.slice(middle), outcomes))];
    }
  }

  /** After the commit, and best effort: live streams also look from time to time. */
  private announce({ messages, rows, projects }: IngestBatch): void {
    for (const projectId of projects) {
      this.pubSub
        .publish(visitsChannel(projectId), '')
        .catch((error: unknown) => this.logger.warn({ err: error }, 'new visits could not be announced'));
    }
    if (rows.length === 0 || !this.logger.isLevelEnabled('debug')) return;
    const traces = Map.groupBy(messages, ({ headers }) => traceIdOf(headers[RECEIVED_HEADERS.traceparent]));
    for (const [traceId, { length }] of traces) this.logger.debug({ trace_id: traceId, visits: length }, 'stored');
  }
}

/** Times of receipt are of one format, so the earliest is the first by its text. */
function secondsSinceReceipt(rows: readonly Positioned<VisitRow>[]): number {
  const received = rows.map(({ value }) => value.document.received_at);
  const earliest = received.reduce((one, other) => (other < one ? other : one));
  return Math.max(0, Date.now() - Date.parse(earliest)) / 1_000;
}

function read({ messages, outcomes, visits }: IngestBatch): void {
  for (let position = 0; position < messages.length; position += 1) {
    const result = readEnrichedVisit(messages[position]!);
    if (result.ok) visits.push({ position, value: result.value });
    else outcomes[position] = result.outcome;
  }
}
