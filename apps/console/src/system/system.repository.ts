import { Injectable } from '@nestjs/common';
import type { Retention, RetentionChange, System } from '#libs/contracts';
import { auditedTransaction } from '#libs/database';
import { StoreSizeRepository } from '#libs/visit-store';
import { DataSource, type EntityManager } from 'typeorm';

type Stored = Pick<System, 'dead_letters' | 'disk'> & { catalog: Omit<System['catalog'], 'version'> };

const AVERAGE_DAYS = 7;
const average = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
const time = (value: Date | null): string | null => value?.toISOString() ?? null;

@Injectable()
export class SystemRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly size: StoreSizeRepository,
  ) {}

  async read(): Promise<Stored> {
    const [letters, lists, agents, database, countsBytes, partitions, outbox] = await Promise.all([
      this.one<{ open: number; newest_at: Date | null }>(
        `SELECT count(*)::integer AS open, max(failed_at) AS newest_at FROM dead_letters WHERE replayed_at IS NULL`,
      ),
      this.lists(),
      this.one<{ agents: number; own_agents: number; bundled_version: string }>(
        `SELECT count(*)::integer AS agents, count(own)::integer AS own_agents,
           (SELECT bundled_version FROM catalog_state) AS bundled_version FROM agents`,
      ),
      this.one<{ bytes: string }>(`SELECT pg_database_size(current_database()) AS bytes`),
      this.size.countsBytes(),
      this.size.days(),
      this.one<{ messages: number; bytes: string; oldest_at: Date | null }>(
        `SELECT count(*)::integer AS messages, pg_total_relation_size('visits_outbox') AS bytes,
           min(created_at) AS oldest_at FROM visits_outbox`,
      ),
    ]);
    return {
      dead_letters: { open: letters.open, newest_at: time(letters.newest_at) },
      catalog: { ...agents, lists },
      disk: {
        database_bytes: Number(database.bytes),
        visits_bytes: partitions.reduce((sum, { bytes, unknown_bytes: unknown }) => sum + bytes + unknown, 0),
        counts_bytes: countsBytes,
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

  /** Returns the retention settings with the average size of a day. */
  async estimatedRetention(): Promise<System['retention']> {
    const [settings, partitions] = await Promise.all([this.retention(), this.size.days()]);
    const today = new Date().toISOString().slice(0, 10);
    const used = partitions.filter(({ visits }) => visits > 0);
    // Today is incomplete, so it only counts if there is no full day.
    const full = used.filter(({ day }) => day < today).slice(0, AVERAGE_DAYS);
    const days = full.length > 0 ? full : used.slice(0, 1);
    return {
      ...settings,
      bytes_per_day: average(days.map(({ bytes }) => bytes)),
      // Excludes days whose unknown visits were already deleted.
      unknown_bytes_per_day: average(days.map(({ unknown_bytes: bytes }) => bytes).filter((bytes) => bytes > 0)),
    };
  }

  /**
   * Changes the given settings.
   *
   * @param check called with the current retention. Throws to prevent the change.
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
