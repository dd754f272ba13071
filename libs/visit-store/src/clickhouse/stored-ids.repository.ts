import { getTimeFromId } from '#libs/contracts';
import { LEDGER_DAYS } from '../ledger.js';
import { toDayNumber } from '../partitions.repository.js';
import type { ClickHouse } from './clickhouse.js';
import { daysOf } from './visit-ids.js';

const DAY_MS = 86_400_000;

/** Returns true if a visit was received so long ago that PostgreSQL no longer has its ID. */
export const isPastLedger = (id: string): boolean =>
  getTimeFromId(id) < (toDayNumber(Date.now()) - LEDGER_DAYS) * DAY_MS;

/** Returns the IDs of the visits that are in ClickHouse. */
export async function findIdsInClickHouse(clickhouse: ClickHouse, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await clickhouse.query<{ id: string }>(
    `SELECT DISTINCT id FROM ${clickhouse.visits} WHERE day IN {days:Array(Date)} AND id IN {ids:Array(UUID)}`,
    { days: daysOf(ids), ids },
  );
  return new Set(rows.map(({ id }) => id));
}
