import { Injectable } from '@nestjs/common';
import type { Retention, RetentionChange, System } from '#libs/contracts';
import { auditedTransaction } from '#libs/database';
import { StoreSizeRepository, VisitStoreStatusRepository } from '#libs/visit-store';
import { DataSource, type EntityManager } from 'typeorm';

type StoredState = Pick<System, 'dead_letters' | 'disk'> & { catalog: Omit<System['catalog'], 'version'> };

const AVERAGE_DAYS = 7;
const average = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
const toIso = (value: Date | null): string | null => value?.toISOString() ?? null;

@Injectable()
export class SystemRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly size: StoreSizeRepository,
    private readonly visitStore: VisitStoreStatusRepository,
  ) {}

  async read(): Promise<StoredState> {
    const [letters, lists, bundledRanges, agents, database, countsBytes, partitions, outbox, visitStore] =
      await Promise.all([
        this.queryOne<{ open: number; newest_at: Date | null }>(
          `SELECT count(*)::integer AS open, max(failed_at) AS newest_at FROM dead_letters WHERE replayed_at IS NULL`,
        ),
        this.listAddressLists(),
        this.countBundledRanges(),
        this.queryOne<{ agents: number; own_agents: number; bundled_version: string }>(
          `SELECT count(*)::integer AS agents, count(own)::integer AS own_agents,
           (SELECT bundled_version FROM catalog_state) AS bundled_version FROM agents`,
        ),
        this.queryOne<{ bytes: string }>(`SELECT pg_database_size(current_database()) AS bytes`),
        this.size.countsBytes(),
        this.listDays(),
        this.queryOne<{ messages: number; bytes: string; oldest_at: Date | null }>(
          `SELECT count(*)::integer AS messages, pg_total_relation_size('visits_outbox') AS bytes,
           min(created_at) AS oldest_at FROM visits_outbox`,
        ),
        this.visitStore.read(),
      ]);
    return {
      dead_letters: { open: letters.open, newest_at: toIso(letters.newest_at) },
      catalog: { ...agents, lists, bundled_ranges: bundledRanges },
      disk: {
        database_bytes: Number(database.bytes),
        visits_bytes: partitions.reduce((sum, { bytes, unknown_bytes: unknown }) => sum + bytes + unknown, 0),
        counts_bytes: countsBytes,
        partitions: partitions.map(({ day, bytes, unknown_bytes: unknown, visits }) => ({
          day,
          bytes: bytes + unknown,
          visits,
        })),
        outbox: { messages: outbox.messages, bytes: Number(outbox.bytes), oldest_at: toIso(outbox.oldest_at) },
        visit_store: {
          name: visitStore.name,
          fault: visitStore.fault,
          pending_batches: visitStore.pending.batches,
          oldest_pending_at: toIso(visitStore.pending.oldest_at),
        },
      },
    };
  }

  async getRetention(): Promise<Retention> {
    return readRetention(this.dataSource.manager);
  }

  /** Returns the retention settings with the average number of bytes per day. */
  async estimateRetention(): Promise<System['retention']> {
    const [settings, partitions] = await Promise.all([this.getRetention(), this.listDays()]);
    const today = new Date().toISOString().slice(0, 10);
    const nonEmptyDays = partitions.filter(({ visits }) => visits > 0);
    // Today is incomplete, so use it only if there is no full day.
    const fullDays = nonEmptyDays.filter(({ day }) => day < today).slice(0, AVERAGE_DAYS);
    const days = fullDays.length > 0 ? fullDays : nonEmptyDays.slice(0, 1);
    return {
      ...settings,
      bytes_per_day: average(days.map(({ bytes }) => bytes)),
      // Excludes days whose visits by unknown visitors were already deleted.
      unknown_bytes_per_day: average(days.map(({ unknown_bytes: bytes }) => bytes).filter((bytes) => bytes > 0)),
    };
  }

  /**
   * Changes the given settings.
   *
   * @param check Receives the current retention settings, and throws to prevent the change.
   */
  async setRetention(
    { days, unknown_days: unknown, audit_days: audit }: RetentionChange,
    check: (retention: Retention) => void,
  ): Promise<Retention> {
    return auditedTransaction(this.dataSource, async (transaction) => {
      await transaction.query(`SELECT FROM instance_settings FOR NO KEY UPDATE`);
      check(await readRetention(transaction));
      await transaction.query(
        `UPDATE instance_settings SET retention_days = CASE WHEN $1 THEN $2::int ELSE retention_days END,
           unknown_retention_days = CASE WHEN $3 THEN $4::int ELSE unknown_retention_days END,
           audit_retention_days = coalesce($5, audit_retention_days)`,
        [days !== undefined, days ?? null, unknown !== undefined, unknown ?? null, audit ?? null],
      );
      return readRetention(transaction);
    });
  }

  /** Returns an empty list if the visit store is unavailable. */
  private async listDays(): ReturnType<StoreSizeRepository['days']> {
    return (await this.visitStore.findFault()) === null ? this.size.days() : [];
  }

  private async listAddressLists(): Promise<System['catalog']['lists']> {
    const rows: {
      url: string;
      operators: string[];
      ranges: number | null;
      fetched_at: Date | null;
      fault: string | null;
      next_try_at: Date;
    }[] = await this.dataSource.query(
      `WITH operators AS (
         SELECT list->>'url' AS url, array_agg(DISTINCT coalesce(record->>'operator', record->>'token')) AS names
         FROM agents CROSS JOIN LATERAL jsonb_array_elements(record->'verification'->'ip_list_urls') AS list
         GROUP BY 1
       )
       SELECT url, coalesce(names, '{}') AS operators, jsonb_array_length(ranges) AS ranges, fetched_at, fault, next_try_at
       FROM address_lists LEFT JOIN operators USING (url)
       ORDER BY fault IS NULL, fetched_at NULLS FIRST, url`,
    );
    return rows.map((row) => ({
      ...row,
      fetched_at: toIso(row.fetched_at),
      next_try_at: row.next_try_at.toISOString(),
    }));
  }

  private countBundledRanges(): Promise<System['catalog']['bundled_ranges']> {
    return this.dataSource.query(
      `SELECT coalesce(record->>'operator', record->>'token') AS operator, count(DISTINCT range)::integer AS ranges,
         min(record->'verification'->>'ip_ranges_as_of') AS as_of
       FROM agents CROSS JOIN LATERAL jsonb_array_elements_text(record->'verification'->'ip_ranges') AS range
       WHERE jsonb_exists(record->'verification', 'ip_list_urls')
       GROUP BY 1 ORDER BY 1`,
    );
  }

  private async queryOne<T>(sql: string, parameters: unknown[] = []): Promise<T> {
    const [row]: T[] = await this.dataSource.query(sql, parameters);
    return row!;
  }
}

async function readRetention(manager: EntityManager): Promise<Retention> {
  const [settings]: [Omit<Retention, 'days'>] = await manager.query(
    `SELECT retention_days AS set_days, configured_retention_days AS configured_days,
       unknown_retention_days AS unknown_days, audit_retention_days AS audit_days
     FROM instance_settings`,
  );
  return { days: settings.set_days ?? settings.configured_days, ...settings };
}
