import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { getFirstIdAt } from '#libs/contracts';
import { ADVISORY_LOCKS } from '#libs/database';
import type { VisitTable } from './visit-columns.js';

const DAY_MS = 86_400_000;

/** Number of UTC days since the epoch. */
export type DayNumber = number;

export const toDayNumber = (time: number): DayNumber => Math.floor(time / DAY_MS);

export const formatDay = (day: DayNumber): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Visits by agents, or by unknown visitors. */
export type Visitors = 'agents' | 'unknown';

const VISIT_TABLES = ['visits', 'unknown_visits'] as const;

export const toVisitTable = (visitors: Visitors): VisitTable => (visitors === 'agents' ? 'visits' : 'unknown_visits');

/**
 * Constraints and indexes for new partitions. The constraint lets PostgreSQL skip `visits` if a filter excludes agents.
 *
 * The indexes are ascending, even though they become part of the parents' descending indexes. New rows are then added
 * at the end of the index or of an agent's section, and fill its pages. In a descending index, pages would stay half
 * empty.
 */
const PARTITION_OPTIONS: Record<VisitTable, { constraint: string; indexes: readonly string[] }> = {
  visits: {
    constraint: ', CONSTRAINT only_agents CHECK (agent_id IS NOT NULL)',
    indexes: ['(project_id, occurred_at, id)', '(project_id, agent_id, occurred_at, id) WHERE agent_id IS NOT NULL'],
  },
  unknown_visits: {
    constraint: '',
    indexes: [
      '(project_id, occurred_at, id) WHERE project_id IS NOT NULL',
      '(project_id, user_agent_group, occurred_at, id) WHERE user_agent_group IS NOT NULL',
    ],
  },
};

export const getPartitionName = (table: VisitTable, day: DayNumber): string =>
  `${table}_${formatDay(day).replaceAll('-', '')}`;

const DROP_TIMEOUT_MS = 3_000;

/** Drops a partition. Must run in a transaction. */
export async function dropPartition(
  transaction: EntityManager | QueryRunner,
  visitors: Visitors,
  day: DayNumber,
  timeoutMs = DROP_TIMEOUT_MS,
): Promise<void> {
  // DROP TABLE waits for readers and blocks new ones in the meantime, so give up early.
  await transaction.query(`SET LOCAL lock_timeout = ${timeoutMs}`);
  await transaction.query(`DROP TABLE ${getPartitionName(toVisitTable(visitors), day)}`);
}

/** Manages the visit tables' daily partitions. A visit belongs to the day it was received, which is part of its ID. */
@Injectable()
export class PartitionsRepository {
  private readonly ensuredDays = new Set<DayNumber>();

  /** Tables whose partitions are created. */
  protected readonly tables: readonly VisitTable[] = VISIT_TABLES;

  constructor(protected readonly dataSource: DataSource) {}

  async ensure(days: Iterable<DayNumber>): Promise<void> {
    for (const day of days) {
      if (this.ensuredDays.has(day)) continue;
      for (const table of this.tables) await this.createPartition(table, day);
      this.ensuredDays.add(day);
    }
  }

  /** Clears the cache of existing partitions. Call it when another process may have dropped some. */
  clearCache(): void {
    this.ensuredDays.clear();
  }

  /**
   * Drops the partitions with visits received before a day, unless the visits must be archived or another process is
   * archiving.
   *
   * @returns the dropped days.
   */
  async dropBefore(visitors: Visitors, day: DayNumber): Promise<DayNumber[]> {
    const dropped: DayNumber[] = [];
    for (const expiredDay of await this.listExpired(visitors, day)) {
      await this.dataSource.transaction(async (transaction) => {
        const [row]: { droppable: boolean }[] = await transaction.query(
          'SELECT pg_try_advisory_xact_lock($1) AND NOT requires_archive AS droppable FROM instance_settings',
          [ADVISORY_LOCKS.archive],
        );
        if (!row!.droppable) return;
        await this.drop(transaction, visitors, expiredDay);
        dropped.push(expiredDay);
      });
    }
    this.clearCache();
    return dropped;
  }

  /** Returns the days before the given one that have a partition, except restored days, which are kept longer. */
  async listExpired(visitors: Visitors, before: DayNumber): Promise<DayNumber[]> {
    const rows: { day: DayNumber }[] = await this.dataSource.query(
      `SELECT day - date '1970-01-01' AS day FROM restored_days WHERE kept_until > now()`,
    );
    const restored = new Set(rows.map(({ day }) => day));
    return (await this.listDays(visitors)).filter((day) => day < before && !restored.has(day));
  }

  /** Returns the first day that has a partition. */
  async findOldest(): Promise<DayNumber> {
    const days = await Promise.all([this.listDays('agents'), this.listDays('unknown')]);
    return Math.min(...days.flat());
  }

  /**
   * Drops the IDs of visits that can't be delivered again. Does nothing if PostgreSQL stores the visits, because their
   * IDs are dropped with them.
   */
  async dropOldIds(): Promise<void> {}

  protected async drop(transaction: EntityManager, visitors: Visitors, day: DayNumber): Promise<void> {
    await dropPartition(transaction, visitors, day);
  }

  protected listDays(visitors: Visitors): Promise<DayNumber[]> {
    return this.list(toVisitTable(visitors));
  }

  /** Returns the days for which a table has a partition. */
  async list(table: VisitTable): Promise<DayNumber[]> {
    const rows: { day: DayNumber }[] = await this.dataSource.query(
      `SELECT to_date(right(c.relname, 8), 'YYYYMMDD') - date '1970-01-01' AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = '${table}'::regclass AND c.relname ~ '^${table}_[0-9]{8}$' ORDER BY 1`,
    );
    return rows.map(({ day }) => day);
  }

  private async createPartition(table: VisitTable, day: DayNumber): Promise<void> {
    const name = getPartitionName(table, day);
    const { constraint, indexes } = PARTITION_OPTIONS[table];
    await this.dataSource.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.partitions]);
      const [{ exists }] = await transaction.query(`SELECT to_regclass($1) IS NOT NULL AS exists`, [name]);
      if (exists) return;
      // Unlike CREATE … PARTITION OF, attaching a table doesn't block inserts.
      await transaction.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL EXCLUDING INDEXES${constraint})`);
      // Attaching the table creates the rest of the parent's indexes.
      for (const index of indexes) await transaction.query(`CREATE INDEX ON ${name} ${index}`);
      await transaction.query(
        `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${getFirstIdAt(day * DAY_MS)}') TO ('${getFirstIdAt((day + 1) * DAY_MS)}')`,
      );
    });
  }
}
