import { Injectable } from '@nestjs/common';
import { getFirstIdAt } from '#libs/contracts';
import { DataSource, type QueryRunner } from 'typeorm';
import { withArchiveLock, type LockCheck } from './archive-lock.repository.js';
import { ARCHIVED_COLUMNS, type ArchivedVisit } from './archived-visit.js';
import { limitBytes } from './limit-bytes.js';
import {
  dropPartition,
  formatDay,
  getPartitionName,
  PartitionsRepository,
  toVisitTable,
  type DayNumber,
  type Visitors,
} from './partitions.repository.js';

const DAY_MS = 86_400_000;
export const MAX_PAGE_ROWS = 2_000;
export const MAX_PAGE_BYTES = 4 * 2 ** 20;
/** Shorter than PostgreSQL's `deadlock_timeout` (1 s), after which it cancels one of the statements in a deadlock. */
const DROP_TIMEOUT_MS = 900;

/** A project's visits in a partition. */
export interface ProjectVisits {
  projectId: string;
  visits: number;
  /** Hexadecimal digest that changes whenever one of the visits changes. */
  digest: string;
}

/** Visit in a page, with the number of visits that were found for it. */
export type FoundVisit = ArchivedVisit & { found?: number };

/** A partition that is about to be dropped. */
export interface ExpiredPartition {
  /** `YYYY-MM-DD` */
  day: string;
  visitors: Visitors;
  projects: readonly ProjectVisits[];
  /** Returns a project's visits in pages, sorted by (occurred_at, id). */
  read(projectId: string): AsyncIterable<ArchivedVisit[]>;
  checkLock: LockCheck;
}

/** Partition that this process is archiving, and the connection that holds the archive's lock. */
export interface LockedPartition {
  runner: QueryRunner;
  visitors: Visitors;
  day: DayNumber;
}

interface ArchiveOptions {
  /** Saves a partition's visits. If it throws, the partition isn't dropped. */
  save: (partition: ExpiredPartition) => Promise<void>;
  /** Called for each partition that couldn't be saved or dropped. The other partitions are still processed. */
  onFailure: (day: DayNumber, error: unknown) => void;
  signal: AbortSignal;
}

/** Saves the visits in expired partitions, then drops the partitions. */
@Injectable()
export class ExpiredPartitionsRepository {
  constructor(
    protected readonly dataSource: DataSource,
    protected readonly partitions: PartitionsRepository,
  ) {}

  /**
   * Saves and drops the partitions for visits received before a day. Does nothing if another process is already
   * archiving.
   *
   * @returns the days whose partitions were dropped.
   */
  async archiveBefore(
    visitors: Visitors,
    before: DayNumber,
    { save, onFailure, signal }: ArchiveOptions,
  ): Promise<DayNumber[]> {
    if ((await this.partitions.listExpired(visitors, before)).length === 0) return [];
    const dropped: DayNumber[] = [];
    await withArchiveLock(this.dataSource, async (checkLock, runner) => {
      for (const day of await this.partitions.listExpired(visitors, before)) {
        if (signal.aborted) return;
        const partition = { runner, visitors, day };
        try {
          const projects = await this.listProjects(partition);
          const read = (projectId: string) => this.readVisits(partition, projectId);
          if (projects.length > 0) await save({ day: formatDay(day), visitors, projects, read, checkLock });
          await this.dropUnchanged(partition, projects);
          dropped.push(day);
        } catch (error) {
          if (!signal.aborted) onFailure(day, error);
        }
      }
    });
    this.partitions.clearCache();
    return dropped;
  }

  /** Lists the projects that have visits in a partition, except removed projects, whose visits are being deleted. */
  protected listProjects({ runner, visitors, day }: LockedPartition): Promise<ProjectVisits[]> {
    return runner.query(
      `SELECT project_id AS "projectId", count(*)::float8 AS visits,
         lpad(to_hex(bit_xor(hashtextextended(v::text, 0))), 16, '0') AS digest
       FROM ${getPartitionName(toVisitTable(visitors), day)} v
       WHERE project_id IS NOT NULL AND project_id NOT IN (SELECT project_id FROM removed_projects)
       GROUP BY project_id ORDER BY project_id`,
    );
  }

  private async *readVisits(partition: LockedPartition, projectId: string): AsyncGenerator<ArchivedVisit[]> {
    for (let last: ArchivedVisit | undefined; ;) {
      const rows = await this.readPage(partition, projectId, last);
      const found = rows[0]?.found ?? 0;
      if (rows.length > 0) yield rows;
      if (rows.length === found && found < MAX_PAGE_ROWS) return;
      last = rows.at(-1);
    }
  }

  /**
   * Returns up to {@link MAX_PAGE_ROWS} visits after the given one, with a total document size of up to
   * {@link MAX_PAGE_BYTES}. If there are any visits, returns at least one. `found` is the number of rows without the
   * limit on their size.
   */
  protected readPage(
    { runner, visitors, day }: LockedPartition,
    projectId: string,
    last: ArchivedVisit | undefined,
  ): Promise<FoundVisit[]> {
    const bounds = [getFirstIdAt(day * DAY_MS), getFirstIdAt((day + 1) * DAY_MS)];
    const names = ARCHIVED_COLUMNS.map(({ name }) => name);
    return runner.query(
      limitBytes(
        `id, project_id, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_at, position::text AS position,
         client_address, ${names.join(', ')}, document`,
        `SELECT id, project_id, occurred_at, position, client_address, ${names.join(', ')}, document::text AS document
         FROM visits_full
         WHERE project_id = $1 AND id >= $2 AND id < $3 AND agent_id IS ${visitors === 'agents' ? 'NOT NULL' : 'NULL'}
           ${last === undefined ? '' : 'AND (occurred_at, id) > (to_timestamp($4::float8 / 1000), $5::uuid)'}
         ORDER BY occurred_at, id LIMIT ${MAX_PAGE_ROWS}`,
        'occurred_at, id',
        MAX_PAGE_BYTES,
      ),
      [projectId, ...bounds, ...(last === undefined ? [] : [last.occurred_at, last.id])],
    );
  }

  /**
   * Drops a partition.
   *
   * @throws {Error} if its visits have changed since they were listed.
   */
  private async dropUnchanged(partition: LockedPartition, saved: readonly ProjectVisits[]): Promise<void> {
    const { runner, day } = partition;
    await runner.startTransaction();
    try {
      await runner.query(`SET LOCAL lock_timeout = '3s'`);
      await this.block(partition);
      const current = await this.listProjects(partition);
      if ((await this.isAwaited(partition)) || JSON.stringify(current) !== JSON.stringify(saved)) {
        throw new Error(`The visits from ${formatDay(day)} were changed while they were being archived`);
      }
      await this.drop(partition);
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    }
  }

  /** Blocks changes to a partition, such as re-identification and erasure, until the transaction ends. */
  protected async block({ runner, visitors, day }: LockedPartition): Promise<void> {
    await runner.query(`LOCK TABLE ${getPartitionName(toVisitTable(visitors), day)} IN SHARE MODE`);
  }

  /** Returns true if a statement waits for the partition. It has locked the parent table, which blocks the drop. */
  protected async isAwaited({ runner, visitors, day }: LockedPartition): Promise<boolean> {
    const [{ blocks }] = await runner.query(
      `SELECT EXISTS (
         SELECT FROM pg_locks WHERE relation = '${getPartitionName(toVisitTable(visitors), day)}'::regclass AND NOT granted
       ) AS blocks`,
    );
    return blocks;
  }

  protected async drop({ runner, visitors, day }: LockedPartition): Promise<void> {
    await dropPartition(runner, visitors, day, DROP_TIMEOUT_MS);
  }
}
