import { Inject, Injectable } from '@nestjs/common';
import { OK, toDeadLetter, runPipeline, TransientError, type EnrichedEvent, type Outcome, type Step } from '#libs/bus';
import { PubSub } from '#libs/cache';
import { getTimeFromId, visitsChannel } from '#libs/contracts';
import { errorMessage, LOGGER, getTraceId, type Logger, isPermanentError, getSqlState } from '#libs/platform';
import { toDayNumber, PartitionsRepository, type VisitRow, VisitsRepository } from '#libs/visit-store';
import { Histogram } from 'prom-client';
import { RetentionSetting } from './retention-setting.service.js';
import { toVisitRow, type RetentionDays } from './steps/visit-row.step.js';

/** SQLSTATE of an insert without a matching partition. Occurs if a known partition was dropped in the meantime. */
const NO_PARTITION_SQLSTATE = '23514';

/** Sorts after every RFC 3339 time. */
const AFTER_ANY_TIME = '9999';

const storageDelayHistogram = new Histogram({
  name: 'agent_traffic_ingest_receipt_to_stored_seconds',
  help: 'Time from receiving the oldest visit in a batch to storing it',
  buckets: [0.05, 0.2, 0.5, 1, 2, 5, 20, 60, 120, 180, 300, 900, 3_600],
});

/** Row with the index of its visit within the batch. */
interface PositionedRow {
  position: number;
  row: VisitRow;
}

interface IngestBatch {
  events: readonly EnrichedEvent[];
  outcomes: Outcome[];
  rows: PositionedRow[];
  /** Projects that received new visits. */
  projects: Set<string>;
  /** Earliest time of receipt in the batch, in RFC 3339 format. Visit IDs may contain earlier times. */
  receivedAt: string;
}

/** Converts enriched visits to rows, stores them with their counts, and notifies live streams. */
@Injectable()
export class IngestPipeline {
  private readonly steps: readonly Step<IngestBatch>[] = [
    { name: 'row', run: (batch) => this.convertToRows(batch) },
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
    @Inject(RetentionSetting) private readonly retention: RetentionDays,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(events: readonly EnrichedEvent[]): Promise<Outcome[]> {
    const outcomes = events.map(() => OK);
    const batch: IngestBatch = { events, outcomes, rows: [], projects: new Set(), receivedAt: AFTER_ANY_TIME };
    await runPipeline('ingest', this.steps, batch);
    return outcomes;
  }

  private convertToRows(batch: IngestBatch): void {
    const { events, outcomes, rows } = batch;
    const now = Date.now();
    for (const [position, { visit }] of events.entries()) {
      const result = toVisitRow(visit, now, this.retention);
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
      await this.partitions.ensure(new Set(rows.map(({ row }) => toDayNumber(getTimeFromId(row.id)))));
      for (const projectId of await this.storeRows(rows, batch)) projects.add(projectId);
      if (projects.size > 0) storageDelayHistogram.observe(getSecondsSince(batch.receivedAt));
    } catch (error) {
      if (getSqlState(error) === NO_PARTITION_SQLSTATE) this.partitions.clearCache();
      throw new TransientError('could not store the visits', { cause: error });
    }
  }

  /**
   * Stores rows and returns the projects with new visits. If the database permanently rejects a row, finds it by
   * bisection and dead-letters it.
   */
  private async storeRows(rows: readonly PositionedRow[], batch: IngestBatch): Promise<string[]> {
    try {
      return await this.visits.store(rows.map(({ row }) => row));
    } catch (error) {
      if (!isPermanentError(error) || getSqlState(error) === NO_PARTITION_SQLSTATE) throw error;
      if (rows.length === 1) {
        const detail = `${getSqlState(error)}: ${errorMessage(error)}`;
        batch.outcomes[rows[0]!.position] = toDeadLetter('refused_by_database', detail, 'ingest:store').outcome;
        return [];
      }
      const middle = rows.length >> 1;
      const first = await this.storeRows(rows.slice(0, middle), batch);
      return [...first, ...(await this.storeRows(rows.slice(middle), batch))];
    }
  }

  /** Notifies live streams after the commit. Best effort, because streams also poll. */
  private announce({ events, rows, projects }: IngestBatch): void {
    for (const projectId of projects) {
      this.pubSub
        .publish(visitsChannel(projectId), '')
        .catch((error: unknown) => this.logger.warn({ err: error }, 'failed to announce new visits'));
    }
    if (rows.length === 0 || !this.logger.isLevelEnabled('debug')) return;
    const traces = Map.groupBy(events, ({ traceparent }) => getTraceId(traceparent));
    for (const [traceId, { length }] of traces) this.logger.debug({ trace_id: traceId, visits: length }, 'stored');
  }
}

const getSecondsSince = (time: string): number => Math.max(0, Date.now() - Date.parse(time)) / 1_000;
