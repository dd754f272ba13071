import { Injectable } from '@nestjs/common';
import type { Retention, System } from '#libs/contracts';
import { DataSource } from 'typeorm';

type Stored = Pick<System, 'dead_letters' | 'disk'> & { catalog: Omit<System['catalog'], 'version'> };

interface Partition {
  day: string;
  bytes: string;
  visits: string;
}

/** Full days that the average per day is taken over. */
const AVERAGE_DAYS = 7;
const COUNTS = [
  'visit_counts',
  'visit_hour_counts',
  'visit_hour_type_counts',
  'visit_day_counts',
  'visit_top_counts',
  'visit_day_top_counts',
];
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
        visits_bytes: partitions.reduce((sum, { bytes }) => sum + bytes, 0),
        counts_bytes: Number(disk.counts),
        partitions,
        outbox: { messages: outbox.messages, bytes: Number(outbox.bytes), oldest_at: time(outbox.oldest_at) },
      },
    };
  }

  async retention(): Promise<Retention> {
    const [settings, partitions] = await Promise.all([
      this.one<{ set_days: number | null; configured_days: number | null }>(
        `SELECT retention_days AS set_days, configured_retention_days AS configured_days FROM instance_settings`,
      ),
      this.partitions(),
    ]);
    const today = new Date().toISOString().slice(0, 10);
    const used = partitions.filter(({ visits }) => visits > 0);
    // Today is not over, so it counts only if there is no full day.
    const full = used.filter(({ day }) => day < today).slice(0, AVERAGE_DAYS);
    const days = full.length > 0 ? full : used.slice(0, 1);
    const bytes = days.reduce((sum, day) => sum + day.bytes, 0);
    return {
      days: settings.set_days ?? settings.configured_days,
      ...settings,
      bytes_per_day: days.length === 0 ? null : bytes / days.length,
    };
  }

  /** @param days null to use the configured value. */
  async setRetention(days: number | null): Promise<void> {
    await this.dataSource.query(`UPDATE instance_settings SET retention_days = $1`, [days]);
  }

  /** Newest first. */
  private async partitions(): Promise<{ day: string; bytes: number; visits: number }[]> {
    const rows: Partition[] = await this.dataSource.query(
      `SELECT to_char(to_date(substr(c.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') AS day,
         pg_total_relation_size(c.oid) AS bytes,
         CASE WHEN c.reltuples >= 0 AND c.relpages > 0 THEN c.reltuples::bigint
           ELSE coalesce(pg_stat_get_live_tuples(c.oid), 0) END AS visits
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'visits'::regclass AND c.relname ~ '^visits_[0-9]{8}$' ORDER BY 1 DESC`,
    );
    return rows.map(({ day, bytes, visits }) => ({ day, bytes: Number(bytes), visits: Number(visits) }));
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
