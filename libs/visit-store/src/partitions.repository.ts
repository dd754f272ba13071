import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdAt } from '#libs/contracts';
import { ADVISORY_LOCKS } from '#libs/database';

const DAY_MS = 86_400_000;

/** Days since the epoch (UTC). */
export type DayNumber = number;

export const dayOf = (time: number): DayNumber => Math.floor(time / DAY_MS);

export const isoDay = (day: DayNumber): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

const VISIT_TABLES = ['visits', 'unknown_visits'] as const;
type VisitTable = (typeof VISIT_TABLES)[number];

/**
 * Constraints and indexes of partitions. The constraint lets PostgreSQL skip `visits` if a filter excludes agents.
 *
 * Indexes are ascending, although PostgreSQL uses them as parts of the parents' descending indexes. New rows go to the
 * end of the index, or of an agent's part of it, and fill its pages. In a descending index, pages would stay half
 * empty.
 */
const OF_TABLE: Record<VisitTable, { constraint: string; indexes: readonly string[] }> = {
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

const nameOf = (table: VisitTable, day: DayNumber): string => `${table}_${isoDay(day).replaceAll('-', '')}`;

/** Manages the daily partitions of the visit tables. A visit's day is the time of receipt in its ID. */
@Injectable()
export class PartitionsRepository {
  private readonly known = new Set<DayNumber>();

  constructor(private readonly dataSource: DataSource) {}

  async ensure(days: Iterable<DayNumber>): Promise<void> {
    for (const day of days) {
      if (this.known.has(day)) continue;
      for (const table of VISIT_TABLES) await this.make(table, day);
      this.known.add(day);
    }
  }

  /** Clears the list of known partitions. Another process may have dropped some. */
  forget(): void {
    this.known.clear();
  }

  /** Drops visits received before this day. Returns the days whose visits were dropped. */
  async dropBefore(visitors: 'agents' | 'unknown', day: DayNumber): Promise<DayNumber[]> {
    const table = visitors === 'agents' ? 'visits' : 'unknown_visits';
    const expired = (await this.list(table)).filter((each) => each < day);
    for (const each of expired) {
      await this.dataSource.transaction(async (transaction) => {
        // DROP TABLE waits for all readers and blocks new ones, so give up early.
        await transaction.query(`SET LOCAL lock_timeout = '3s'`);
        await transaction.query(`DROP TABLE ${nameOf(table, each)}`);
      });
    }
    this.forget();
    return expired;
  }

  private async list(table: VisitTable): Promise<DayNumber[]> {
    const rows: { day: DayNumber }[] = await this.dataSource.query(
      `SELECT to_date(right(c.relname, 8), 'YYYYMMDD') - date '1970-01-01' AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = '${table}'::regclass AND c.relname ~ '^${table}_[0-9]{8}$' ORDER BY 1`,
    );
    return rows.map(({ day }) => day);
  }

  private async make(table: VisitTable, day: DayNumber): Promise<void> {
    const name = nameOf(table, day);
    const { constraint, indexes } = OF_TABLE[table];
    await this.dataSource.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.partitions]);
      const [{ exists }] = await transaction.query(`SELECT to_regclass($1) IS NOT NULL AS exists`, [name]);
      if (exists) return;
      // Unlike CREATE … PARTITION OF, attaching a table doesn't block inserts.
      await transaction.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL EXCLUDING INDEXES${constraint})`);
      // Attaching the table creates the parent's other indexes.
      for (const index of indexes) await transaction.query(`CREATE INDEX ON ${name} ${index}`);
      await transaction.query(
        `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${firstIdAt(day * DAY_MS)}') TO ('${firstIdAt((day + 1) * DAY_MS)}')`,
      );
    });
  }
}
