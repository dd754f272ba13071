import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdAt } from '#libs/contracts';

const DAY_MS = 86_400_000;
const LOCK = 4_116_820_612;

/** Days since the epoch, UTC. */
export type DayNumber = number;

export const dayOf = (time: number): DayNumber => Math.floor(time / DAY_MS);

export const isoDay = (day: DayNumber): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

const nameOf = (day: DayNumber): string => `visits_${isoDay(day).replaceAll('-', '')}`;

/** The partitions of `visits`: one a day of receipt, by the time in the id. */
@Injectable()
export class PartitionsRepository {
  private readonly known = new Set<DayNumber>();

  constructor(private readonly dataSource: DataSource) {}

  /** Makes the partitions of these days where they are missing. */
  async ensure(days: Iterable<DayNumber>): Promise<void> {
    for (const day of days) {
      if (this.known.has(day)) continue;
      await this.make(day);
      this.known.add(day);
    }
  }

  /** Forgets what is known to exist: someone else may have dropped it. */
  forget(): void {
    this.known.clear();
  }

  /** Drops the partitions of days before this one. @returns their names. */
  async dropBefore(day: DayNumber): Promise<string[]> {
    const dropped: string[] = [];
    for (const name of await this.list()) {
      if (name >= nameOf(day)) continue;
      await this.dataSource.transaction(async (transaction) => {
        // Dropping waits for every reader of visits, and holds up those who come later: give up early instead.
        await transaction.query(`SET LOCAL lock_timeout = '3s'`);
        await transaction.query(`DROP TABLE ${name}`);
      });
      dropped.push(name);
    }
    this.forget();
    return dropped;
  }

  private async list(): Promise<string[]> {
    const rows: { name: string }[] = await this.dataSource.query(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'visits'::regclass AND c.relname ~ '^visits_[0-9]{8}$' ORDER BY 1`,
    );
    return rows.map((row) => row.name);
  }

  private async make(day: DayNumber): Promise<void> {
    const name = nameOf(day);
    await this.dataSource.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
      const [{ exists }] = await transaction.query(`SELECT to_regclass($1) IS NOT NULL AS exists`, [name]);
      if (exists) return;
      // Attaching a finished table does not hold up those who insert, as CREATE … PARTITION OF would.
      await transaction.query(`CREATE TABLE ${name} (LIKE visits INCLUDING ALL EXCLUDING INDEXES)`);
      // PostgreSQL adds the other indexes. This one goes the other way than that of visits, which it takes for the same:
      // an index that grows at its end has full pages, one that grows at its start has them half empty.
      await transaction.query(`CREATE INDEX ON ${name} (project_id, occurred_at, id)`);
      await transaction.query(
        `ALTER TABLE visits ATTACH PARTITION ${name} FOR VALUES FROM ('${firstIdAt(day * DAY_MS)}') TO ('${firstIdAt((day + 1) * DAY_MS)}')`,
      );
    });
  }
}
