import { Inject, Injectable } from '@nestjs/common';
import { OK, refused, runPipeline, TransientError, type EnrichedEvent, type Outcome, type Step } from '#libs/bus';
import { PubSub } from '#libs/cache';
import { timeOfId, visitsChannel } from '#libs/contracts';
import { errorMessage, LOGGER, traceIdOf, type Logger, isPermanent, sqlState } from '#libs/platform';
import { dayOf, PartitionsRepository, type VisitRow, VisitsRepository } from '#libs/visit-store';
import { Histogram } from 'prom-client';
import { RetentionSetting } from './retention-setting.service.js';
import { visitRow, type KeptDays } from './steps/visit-row.step.js';

/** SQLSTATE for a row without a partition. Occurs if the partition was dropped after it was last seen. */
const NO_PARTITION = '23514';

/** Sorts after all times of receipt. */
const LATEST = '9999';

const receiptToStored = new Histogram({
  name: 'agent_traffic_ingest_receipt_to_stored_seconds',
  help: 'Time from the receipt of the oldest visit of a batch until it is stored',
  buckets: [0.05, 0.2, 0.5, 1, 2, 5, 20, 60, 120, 180, 300, 900, 3_600],
});

/** A row and the index of its visit within the batch. */
interface PositionedRow {
  position: number;
  row: VisitRow;
}

interface IngestBatch {
  events: readonly EnrichedEvent[];
  outcomes: Outcome[];
  rows: PositionedRow[];
  /** Projects with new visits. */
  projects: Set<string>;
  /** Time of receipt of the oldest visit, RFC 3339. The time in its ID may be earlier. */
  receivedAt: string;
}

/** Converts enriched visits to rows, stores them with their counts, and notifies live streams. */
@Injectable()
export class IngestPipeline {
  private readonly steps: readonly Step<IngestBatch>[] = [
    { name: 'row', run: (batch) => this.convert(batch) },
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

  async run(events: readonly EnrichedEvent[]): Promise<Outcome[]> {
    const outcomes = events.map(() => OK);
    const batch: IngestBatch = { events, outcomes, rows: [], projects: new Set(), receivedAt: LATEST };
    await runPipeline('ingest', this.steps, batch);
    return outcomes;
  }

  private convert(batch: IngestBatch): void {
    const { events, outcomes, rows } = batch;
    const now = Date.now();
    for (const [position, { visit }] of events.entries()) {
      const result = visitRow(visit, now, this.retention);
      if (result.ok) {
        if (visit.received_at < batch.receivedAt) batch.receivedAt = visit.received_at;
        rows.push({ position, row: result.value });
      } else outcomes[position] = result.outcome;
    }
  }

  private async store(batch: IngestBatch): Promise<void> {
    const { rows, projects } = batch;
    if (rows.length === 0) return;
    try {
      await this.partitions.ensure(new Set(rows.map(({ row }) => dayOf(timeOfId(row.id)))));
      for (const projectId of await this.storeRows(rows, batch)) projects.add(projectId);
      if (projects.size > 0) receiptToStored.observe(secondsSince(batch.receivedAt));
    } catch (error) {
      if (sqlState(error) === NO_PARTITION) this.partitions.forget();
      throw new TransientError('the database does not take the visits', { cause: error });
    }
  }

  /**
   * Stores rows and returns the projects with new visits. Rows that the database rejects permanently are found by
   * bisection and become dead letters.
   */
  private async storeRows(rows: readonly PositionedRow[], batch: IngestBatch): Promise<string[]> {
    try {
      return await this.visits.store(rows.map(({ row }) => row));
    } catch (error) {
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

  /** Notifies live streams after the commit. Best effort: they also poll. */
  private announce({ events, rows, projects }: IngestBatch): void {
    for (const projectId of projects) {
      this.pubSub
        .publish(visitsChannel(projectId), '')
        .catch((error: unknown) => this.logger.warn({ err: error }, 'new visits could not be announced'));
    }
    if (rows.length === 0 || !this.logger.isLevelEnabled('debug')) return;
    const traces = Map.groupBy(events, ({ traceparent }) => traceIdOf(traceparent));
    for (const [traceId, { length }] of traces) this.logger.debug({ trace_id: traceId, visits: length }, 'stored');
  }
}

const secondsSince = (time: string): number => Math.max(0, Date.now() - Date.parse(time)) / 1_000;
