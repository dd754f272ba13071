import { ConfigurationError } from '#libs/platform';
import type { DataSource } from 'typeorm';
import { checkClickHouse, type VisitStoreCheck } from './clickhouse/clickhouse-check.repository.js';
import { ClickHouse } from './clickhouse/clickhouse.js';
import { getPendingSeconds, readPendingBatches } from './pending-batches.repository.js';
import { VisitStoreLocation } from './visit-store-location.repository.js';
import type { VisitStoreOptions } from './visit-store-settings.js';

const MAX_PENDING_SECONDS = 60;

/**
 * Checks the separate database that stores the visits. Returns an empty list if PostgreSQL stores them.
 *
 * @param dataSource PostgreSQL database without pending migrations.
 */
export async function checkVisitStore(
  dataSource: DataSource,
  options: VisitStoreOptions | null,
): Promise<VisitStoreCheck[]> {
  const clickhouse = options && new ClickHouse(options);
  try {
    await new VisitStoreLocation(dataSource).check(clickhouse);
    if (clickhouse === null) return [];
    return [...(await checkClickHouse(clickhouse, dataSource)), await checkPendingBatches(dataSource)];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const advice = 'See "Move visits" in docs/operations/clickhouse.md.';
    return [{ subject: 'visit store', status: 'fault', detail: error.message, advice }];
  } finally {
    await clickhouse?.close();
  }
}

async function checkPendingBatches(dataSource: DataSource): Promise<VisitStoreCheck> {
  const subject = 'pending batches';
  const pending = await readPendingBatches(dataSource);
  if (pending.batches === 0) return { subject, status: 'ok', detail: 'none' };
  const seconds = Math.round(getPendingSeconds(pending));
  const detail = `${pending.batches}, the oldest accepted ${seconds} s ago`;
  if (seconds <= MAX_PENDING_SECONDS) return { subject, status: 'ok', detail };
  const projects = await listProjects(dataSource);
  return {
    subject,
    status: 'warning',
    detail: `${detail}; projects whose visits wait: ${projects.join(', ')}`,
    advice:
      "Check ingest's log, which contains the reason. If ClickHouse keeps rejecting a batch, see AgentTrafficVisitStorePending in docs/runbook.md.",
  };
}

/** Returns the names of the projects with batches that have been pending for too long. A removed project has its ID. */
async function listProjects(dataSource: DataSource): Promise<string[]> {
  const rows: { name: string }[] = await dataSource.query(
    `SELECT DISTINCT coalesce(p.name, id::text) AS name
     FROM visit_batches CROSS JOIN unnest(projects) id LEFT JOIN projects p USING (id)
     WHERE stored_at < now() - interval '${MAX_PENDING_SECONDS} seconds' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
