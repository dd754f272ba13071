import { Inject, Injectable } from '@nestjs/common';
import {
  JsonMessage,
  OK,
  refused,
  runPipeline,
  TransientError,
  type Outcome,
  type ReceivedMessage,
  type Step,
} from '#libs/bus';
import { PubSub } from '#libs/cache';
import { RECEIVED_HEADERS, timeOfId, visitsChannel } from '#libs/contracts';
import { errorMessage, LOGGER, traceIdOf, type Logger, isPermanent, sqlState } from '#libs/platform';
import { Histogram } from 'prom-client';
import { dayOf, PartitionsRepository } from './partitions.repository.js';
import { RetentionSetting } from './retention-setting.service.js';
import { readEnrichedVisit } from './steps/read-enriched-visit.step.js';
import { visitRow, type KeptDays, type VisitRow } from './steps/visit-row.step.js';
import { FormsGoneError, VisitsRepository } from './visits.repository.js';

/** SQLSTATE of a row without a partition: somebody dropped it since it was seen. */
const NO_PARTITION = '23514';

/** After all times of receipt. */
const LATEST = '9999';

const receiptToStored = new Histogram({
  name: 'agent_traffic_ingest_receipt_to_stored_seconds',
  help: 'Time from the receipt of the oldest visit of a batch until the batch is stored; batches of repeats do not count',
  buckets: [0.05, 0.2, 0.5, 1, 2, 5, 20, 60, 120, 180, 300, 900, 3_600],
});

/** What a message has become, with its position in the batch. */
interface Positioned<T> {
  position: number;
  value: T;
}

interface IngestBatch {
  messages: readonly ReceivedMessage[];
  outcomes: Outcome[];
  rows: Positioned<VisitRow>[];
  /** Projects with new visits. */
  projects: Set<string>;
  /** Time of receipt of the oldest visit, RFC 3339. IDs may have an earlier time. */
  receivedAt: string;
}

/** visits.enriched → rows → PostgreSQL, with their counts → live streams. */
@Injectable()
export class IngestPipeline {
  private readonly steps: readonly Step<IngestBatch>[] = [
    {
      name: 'row',
      run: (batch) => {
        batch.rows = this.rowsOf(batch, batch.messages.keys());
      },
    },
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
    const batch: IngestBatch = { messages, outcomes, rows: [], projects: new Set(), receivedAt: LATEST };
    await runPipeline('ingest', this.steps, batch);
    return outcomes;
  }

  private rowsOf(batch: IngestBatch, positions: Iterable<number>): Positioned<VisitRow>[] {
    const { messages, outcomes } = batch;
    const rows: Positioned<VisitRow>[] = [];
    const now = Date.now();
    for (const position of positions) {
      const message = messages[position]!;
      const read = readEnrichedVisit(message);
      const result = read.ok ? visitRow(read.value, now, this.retention) : read;
      if (result.ok && read.ok) {
        if (read.value.received_at < batch.receivedAt) batch.receivedAt = read.value.received_at;
        // What was not read here is held by its message anyway.
        if (!(message instanceof JsonMessage)) this.visits.shorten(result.value);
        rows.push({ position, value: result.value });
      } else if (!result.ok) outcomes[position] = result.outcome;
    }
    return rows;
  }

  private async store(batch: IngestBatch): Promise<void> {
    const { rows, projects } = batch;
    if (rows.length === 0) return;
    try {
      await this.partitions.ensure(new Set(rows.map(({ value }) => dayOf(timeOfId(value.id)))));
      for (const projectId of await this.storeRows(rows, batch)) projects.add(projectId);
      if (projects.size > 0) receiptToStored.observe(secondsSince(batch.receivedAt));
    } catch (error) {
      if (sqlState(error) === NO_PARTITION) this.partitions.forget();
      throw new TransientError('the database does not take the visits', { cause: error });
    }
  }

  /** Stores what can be stored: a row the database refuses for good is found by halving and left to the dead letters. */
  private async storeRows(rows: readonly Positioned<VisitRow>[], batch: IngestBatch): Promise<string[]> {
    try {
      return await this.visits.store(rows.map(({ value }) => value));
    } catch (error) {
      if (error instanceof FormsGoneError) {
        const positions = rows.map(({ position }) => position);
        return this.storeRows(this.rowsOf(batch, positions), batch);
      }
      if (!isPermanent(error) || sqlState(error) === NO_PARTITION) throw error;
      if (rows.length === 1) {
        const detail = `${sqlState(error)}: ${errorMessage(error)}`;
        batch.outcomes[rows[0]!.position] = refused('refused_by_database', detail, 'ingest:store').outcome;
        return [];
      }
      const middle = rows.length >> 1;
      const first = await this.storeRows(rows.slice(0, middle), batch);
      return [...first, ...(await this.storeRows(rows.slice(middle), batch))];
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

const secondsSince = (time: string): number => Math.max(0, Date.now() - Date.parse(time)) / 1_000;
