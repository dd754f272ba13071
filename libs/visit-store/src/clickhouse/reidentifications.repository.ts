import { Injectable } from '@nestjs/common';
import type { ReidentificationReport } from '#libs/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import {
  formatCursor,
  PAGE_BYTES,
  parseCursor,
  ReidentificationsRepository,
  type Job,
  type Page,
} from '../reidentifications.repository.js';
import {
  ReidentifiedVisitsRepository,
  type ChangedRow,
  type PreparedChange,
} from '../reidentified-visits.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { toReceiptDay } from './receipt-day.js';

const DAY_MS = 86_400_000;

interface Bounds {
  days: string[];
  first: number;
  last: number;
  visits: number;
}

@Injectable()
export class ClickHouseReidentificationsRepository extends ReidentificationsRepository {
  constructor(
    dataSource: DataSource,
    visits: ReidentifiedVisitsRepository,
    private readonly clickhouse: ClickHouse,
    private readonly batches: BatchesRepository,
  ) {
    super(dataSource, visits);
  }

  override async page({ projectId, cursor, to }: Job, maxVisits: number): Promise<Page> {
    // Visits that are in ClickHouse only after the cursor has passed them would keep their identification.
    await this.batches.insertPending(0, [projectId]);
    const [at, id] = parseCursor(cursor);
    const from = Math.floor(Number(at) / 1000);
    const parameters = { project: projectId, at, id, from, to, limit: maxVisits };
    const remaining = `project_id = {project:UUID} AND occurred_at >= {from:Int64} AND occurred_at < {to:Int64}
      AND (occurred_at * 1000, UUIDToNum(id)) > ({at:Int64}, UUIDToNum({id:UUID}))`;
    // Finding the visits first avoids reading documents of other visits in each of the remaining partitions.
    const findBounds = async (end: number): Promise<Bounds> => {
      const [bounds] = await this.clickhouse.query<Bounds>(
        `SELECT groupUniqArray(day) AS days, min(occurred_at) AS first, max(occurred_at) AS last, count() AS visits FROM (
           SELECT day, occurred_at FROM ${this.clickhouse.visits} WHERE ${remaining} AND day >= {day:Date}
           ORDER BY project_id, occurred_at, UUIDToNum(id) LIMIT {limit:UInt32}
         )`,
        { ...parameters, to: end, day: toReceiptDay(from) },
      );
      return bounds!;
    };
    // Most pages are within a day. A longer range reads a part of every partition.
    let bounds = await findBounds(Math.min(from + DAY_MS, to));
    if (bounds.visits < maxVisits && from + DAY_MS < to) bounds = await findBounds(to);
    const { days, first, last, visits } = bounds;
    if (visits === 0) return { documents: [], last: null };
    const rows = await this.clickhouse.query<{ id: string; occurred_at: number; document: string }>(
      `SELECT id, occurred_at, document FROM (
         SELECT id, occurred_at, document, row_number() OVER w AS row, sum(length(document)) OVER w AS bytes FROM (
           SELECT id, occurred_at, document FROM ${this.clickhouse.visits}
           WHERE ${remaining} AND occurred_at BETWEEN {first:Int64} AND {last:Int64} AND day IN {days:Array(Date)}
           ORDER BY project_id, occurred_at, UUIDToNum(id) LIMIT {limit:UInt32}
         )
         WINDOW w AS (ORDER BY occurred_at, UUIDToNum(id) ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
       ) WHERE bytes <= ${PAGE_BYTES} OR row = 1 ORDER BY row`,
      { ...parameters, days, first, last },
    );
    const end = rows.at(-1);
    return {
      documents: rows.map(({ document }) => document),
      last: end === undefined ? null : formatCursor(String(end.occurred_at * 1000), end.id),
    };
  }

  override async step(
    job: Job,
    next: string | null,
    changes: readonly PreparedChange[],
    createReport: (stored: readonly ChangedRow[]) => ReidentificationReport,
  ): Promise<boolean> {
    const isStored = await super.step(job, next, changes, createReport);
    if (isStored && changes.length > 0) await this.batches.insertReplacements([job.projectId]);
    return isStored;
  }

  /** Waits for the disk, because ClickHouse has the changes afterward and a repeated step wouldn't count them. */
  protected override runStep<T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(work);
  }
}
