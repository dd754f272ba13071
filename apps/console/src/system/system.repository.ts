import { Injectable } from '@nestjs/common';
import type { Retention, RetentionChange, System } from '#libs/contracts';
import { auditedTransaction } from '#libs/database';
import { DataSource, type EntityManager } from 'typeorm';

type Stored = Pick<System, 'dead_letters' | 'disk'> & { catalog: Omit<System['catalog'], 'version'> };

/** Of a day of receipt. */
interface Partition {
  day: string;
  /** Of agents. */
  bytes: number;
  /** Of unknown visitors. */
  unknown_bytes: number;
  /** Estimated. */
  visits: number;
}

/** Full days that the average per day is taken over. */
const AVERAGE_DAYS = 7;
const COUNTS = [
  'visit_counts',
  'visit_hour_counts',
  'visit_hour_type_counts',
  'visit_day_counts',
  'visit_top_counts',
  'visit_hour_top_counts',
  'visit_rest_top_counts',
  'visit_day_top_counts',
];
const average = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
const time = (value: Date | null): string | null => value?.toISOString() ?? null;

/** Reads the state of the instance from the database. */
@Injectable()
export class SystemRepository {
  constructor(private readonly dataSource: DataSource) {}

  async read(): Promise<Stored> {
    const [letters, lists, agents, disk, partitions, outbox] = await Promise.all([
      this.one<{ open: number; newest_at: Date | null }>(
        `SELECT count(*)::integer AS open, max(failed_at) AS newest_at FROM dead_letters WHERE replayed_at IS NULL`,
      ),
      this.lists(),
      this.one<{ agents: number; own_agents: number; bundled_version: string }>(
        `SELECT count(*)::integer AS agents, count(own)::integer AS own_agents,
           (SELECT bundled_version FROM catalog_state) AS bundled_version FROM agents`,
      ),
      this.one<{ database: string; counts: string }>(
        `SELECT pg_database_size(current_database()) AS database,
           (SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest($1::text[]) name) AS counts`,
        [COUNTS],
      ),
      this.partitions(),
      this.one<{ messages: number; bytes: string; oldest_at: Date | null }>(
        `SELECT count(*)::integer AS messages, pg_total_relation_size('visits_outbox') AS bytes,
           min(created_at) AS oldest_at FROM visits_outbox`,
      ),
    ]);
    return {
      dead_letters: { open: letters.open, newest_at: time(letters.newest_at) },
      catalog: { ...agents, lists },
      disk: {
        database_bytes: Number(disk.database),
        visits_bytes: partitions.reduce((sum, { bytes, unknown_bytes: unknown }) => sum + bytes + unknown, 0),
        counts_bytes: Number(disk.counts),
        partitions: partitions.map(({ day, bytes, unknown_bytes: unknown, visits }) => ({
          day,
          bytes: bytes + unknown,
          visits,
        })),
        outbox: { messages: outbox.messages, bytes: Number(outbox.bytes), oldest_at: time(outbox.oldest_at) },
      },
    };
  }

  async retention(): Promise<Retention> {
    return retentionIn(this.dataSource.manager);
  }

  /** With what a day takes. */
  async estimatedRetention(): Promise<System['retention']> {
    const [settings, partitions] = await Promise.all([this.retention(), this.partitions()]);
    const today = new Date().toISOString().slice(0, 10);
    const used = partitions.filter(({ visits }) => visits > 0);
    // Today is not over, so it counts only if there is no full day.
    const full = used.filter(({ day }) => day < today).slice(0, AVERAGE_DAYS);
    const days = full.length > 0 ? full : used.slice(0, 1);
    return {
      ...settings,
      bytes_per_day: average(days.map(({ bytes }) => bytes)),
      // Those of some days may be gone.
      unknown_bytes_per_day: average(days.map(({ unknown_bytes: bytes }) => bytes).filter((bytes) => bytes > 0)),
    };
  }

  /**
   * Changes what is given.
   *
   * @param check throws for a retention that is not to be changed.
   */
  async setRetention(
    { days, unknown_days: unknown, audit_days: audit }: RetentionChange,
    check: (retention: Retention) => void,
  ): Promise<Retention> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await transaction.query(`SELECT FROM instance_settings FOR NO KEY UPDATE`);
      check(await retentionIn(transaction));
      await transaction.query(
        `UPDATE instance_settings SET retention_days = CASE WHEN $1 THEN $2::int ELSE retention_days END,
           unknown_retention_days = CASE WHEN $3 THEN $4::int ELSE unknown_retention_days END,
           audit_retention_days = coalesce($5, audit_retention_days)`,
        [days !== undefined, days ?? null, unknown !== undefined, unknown ?? null, audit ?? null],
      );
      return retentionIn(transaction);
    });
  }

  /** Newest first. */
  private async partitions(): Promise<Partition[]> {
    return this.dataSource.query(
      // As long as a day has a partition of unknown visitors, it has the id of each visit.
      `SELECT to_char(to_date(substring(c.relname FROM '.{8}$'), 'YYYYMMDD'), 'YYYY-MM-DD') AS day,
         coalesce(sum(size) FILTER (WHERE NOT is_unknown), 0)::float8 AS bytes,
         coalesce(sum(size) FILTER (WHERE is_unknown), 0)::float8 AS unknown_bytes, max(tuples)::float8 AS visits
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, LATERAL (
         SELECT i.inhparent = 'unknown_visits'::regclass AS is_unknown, pg_total_relation_size(c.oid) AS size,
           CASE WHEN c.reltuples >= 0 AND c.relpages > 0 THEN c.reltuples::bigint
             ELSE coalesce(pg_stat_get_live_tuples(c.oid), 0) END AS tuples
       ) p
       WHERE i.inhparent IN ('visits'::regclass, 'unknown_visits'::regclass) AND c.relname ~ '^(unknown_)?visits_[0-9]{8}$'
       GROUP BY 1 ORDER BY 1 DESC`,
    );
  }

  private async lists(): Promise<System['catalog']['lists']> {
    const rows: {
      url: string;
      ranges: number | null;
      fetched_at: Date | null;
      fault: string | null;
      next_try_at: Date;
    }[] = await this.dataSource.query(
      `SELECT url, jsonb_array_length(ranges) AS ranges, fetched_at, fault, next_try_at FROM address_lists
       ORDER BY fault IS NULL, fetched_at NULLS FIRST, url`,
    );
    return rows.map((row) => ({
      ...row,
      fetched_at: time(row.fetched_at),
      next_try_at: row.next_try_at.toISOString(),
    }));
  }

  private async one<T>(sql: string, parameters: unknown[] = []): Promise<T> {
    const [row]: T[] = await this.dataSource.query(sql, parameters);
    return row!;
  }
}

async function retentionIn(manager: EntityManager): Promise<Retention> {
  const [settings]: [Omit<Retention, 'days'>] = await manager.query(
    `SELECT retention_days AS set_days, configured_retention_days AS configured_days,
       unknown_retention_days AS unknown_days, audit_retention_days AS audit_days
     FROM instance_settings`,
  );
  return { days: settings.set_days ?? settings.configured_days, ...settings };
}
