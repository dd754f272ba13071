import { Injectable } from '@nestjs/common';
import { ConfigurationError, isUnavailableError } from '#libs/platform';
import { DataSource } from 'typeorm';
import { ClickHouse } from './clickhouse/clickhouse.js';
import type { VisitStoreOptions } from './visit-store-settings.js';
import { createTables } from './clickhouse/visits-table.js';

/** Time limit for creating a table on all servers of a cluster. */
const CREATE_TIMEOUT_MS = 180_000;
/** Time after which a process that hasn't reported its status has stopped. It reports every 10 s. */
const STOPPED_AFTER_SECONDS = 45;
/** Services that change stored visits. `agent-traffic` is a standalone instance. */
const WRITERS = ['ingest', 'console', 'agent-traffic'];

type StoreName = 'postgresql' | 'clickhouse';

/** Records in PostgreSQL which database stores the visits, so that no process uses the wrong one. */
@Injectable()
export class VisitStoreLocation {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws {ConfigurationError} if the visits are in another database than the configured one. */
  async check(clickhouse: ClickHouse | null): Promise<void> {
    // The gateway also starts without PostgreSQL.
    if (!this.dataSource.isInitialized) return;
    const location = await this.read().catch((error: unknown) => {
      if (isUnavailableError(error)) return null;
      throw error;
    });
    if (location === 'clickhouse' && clickhouse === null) {
      throw new ConfigurationError(
        'The visits are stored in ClickHouse. Set CLICKHOUSE_URL, or move them with: agent-traffic migrate --to-postgresql',
      );
    }
    if (location === 'postgresql' && clickhouse !== null) {
      throw new ConfigurationError(
        'CLICKHOUSE_URL is set, but the visits are stored in PostgreSQL. Run agent-traffic migrate first; if there already are visits, run: agent-traffic migrate --to-clickhouse',
      );
    }
  }

  async read(): Promise<StoreName> {
    const [row]: { visit_store: StoreName }[] = await this.dataSource.query(
      `SELECT visit_store FROM instance_settings`,
    );
    return row!.visit_store;
  }
}

/** Returns the names of the running services that change stored visits. */
export async function findWriters(dataSource: DataSource): Promise<string[]> {
  const rows: { service: string }[] = await dataSource.query(
    `SELECT DISTINCT service FROM service_instances
     WHERE service = ANY ($1::text[]) AND reported_at > now() - interval '${STOPPED_AFTER_SECONDS} seconds' ORDER BY 1`,
    [WRITERS],
  );
  return rows.map(({ service }) => service);
}

/**
 * Creates the tables in ClickHouse. If no visits are stored yet and no service could store any in PostgreSQL, they are
 * stored in ClickHouse from now on.
 *
 * @returns true if ClickHouse stores the visits, or false if PostgreSQL still does.
 */
export async function prepareVisitStore(dataSource: DataSource, options: VisitStoreOptions): Promise<boolean> {
  const clickhouse = new ClickHouse(options);
  try {
    for (const statement of createTables(clickhouse))
      await clickhouse.command(statement, {}, { timeoutMs: CREATE_TIMEOUT_MS });
  } finally {
    await clickhouse.close();
  }
  if ((await findWriters(dataSource)).length === 0) {
    await dataSource.query(
      `UPDATE instance_settings SET visit_store = 'clickhouse'
       WHERE NOT EXISTS (SELECT FROM visits) AND NOT EXISTS (SELECT FROM unknown_visits)`,
    );
  }
  return (await new VisitStoreLocation(dataSource).read()) === 'clickhouse';
}
