import type { ArchivedVisit } from '../archived-visit.js';
import type { ClickHouse } from '../clickhouse/clickhouse.js';
import { limitBytes } from '../clickhouse/limit-bytes.js';
import { alterPartitions } from '../clickhouse/visit-partitions.js';
import { COLUMN_NAMES, NO_PROJECT, POSITION, toIdLine, toLine } from '../clickhouse/visits-table.js';
import type { DayNumber } from '../partitions.repository.js';
import {
  bounds,
  COLUMN_LIST,
  HOUR_MS,
  PAGE_BYTES,
  type Hour,
  type HourContent,
  type MovableVisits,
} from './movable-visits.js';

/** ClickHouse holds all documents of a page in memory before it limits their size. */
const PAGE_VISITS = 1_000;
/** Time limit for comparing a day's visits. */
const COMPARE_TIMEOUT_MS = 600_000;

/** SQL expression for the time of receipt in an ID, in milliseconds since the epoch. */
const RECEIVED_AT = `toUInt64(bitShiftRight(reinterpretAsUInt128(reverse(UUIDToNum(id))), 80))`;
const TABLE_ORDER = 'project_id, occurred_at, UUIDToNum(id)';
const IN_RANGE = `UUIDToNum(id) >= UUIDToNum({first:UUID}) AND UUIDToNum(id) < UUIDToNum({end:UUID})`;
const IN_HOUR = `day = {day:Date} AND ${IN_RANGE}`;

/** Visits in ClickHouse. */
export class ClickHouseVisits implements MovableVisits {
  constructor(private readonly clickhouse: ClickHouse) {}

  async days(): Promise<DayNumber[]> {
    const rows = await this.clickhouse.query<{ number: number }>(
      `SELECT DISTINCT toInt32(day) AS number FROM ${this.clickhouse.visits}`,
    );
    return rows.map(({ number }) => number);
  }

  async contents(day: DayNumber, comparesIds: boolean): Promise<HourContent[]> {
    return this.clickhouse.query(
      `SELECT hour, count() AS visits,
         lower(leftPad(hex(groupBitXor(reinterpretAsUInt64(reverse(substring(MD5(content), 1, 8))))), 16, '0')) AS digest
       FROM (
         SELECT intDiv(${RECEIVED_AT}, ${HOUR_MS}) AS hour,
           if(project_id = '${NO_PROJECT}', toString(id), concat(toString(id), toString(${POSITION}), document)) AS content
         FROM ${this.clickhouse.visits}
         WHERE day = toDate({day:Int32}) AND ({comparesIds:Bool} OR project_id <> '${NO_PROJECT}')
       ) GROUP BY hour`,
      { day, comparesIds },
      { timeoutMs: COMPARE_TIMEOUT_MS },
    );
  }

  async *read(hour: Hour): AsyncGenerator<ArchivedVisit[]> {
    // Pages follow the table's order, so ClickHouse doesn't sort the hour's visits for each page.
    for (let after: ArchivedVisit | null = null; ;) {
      const rows: (ArchivedVisit & { found: number })[] = await this.clickhouse.query(
        limitBytes(
          `id, project_id, occurred_at, position, client_address, ${COLUMN_LIST}, document`,
          `SELECT id, project_id, occurred_at, toString(${POSITION}) AS position, client_address, ${COLUMN_LIST}, document
           FROM ${this.clickhouse.visits}
           WHERE ${IN_HOUR} AND project_id <> '${NO_PROJECT}' ${
             after === null
               ? ''
               : 'AND (project_id, occurred_at, UUIDToNum(id)) > ({project:UUID}, {at:Int64}, UUIDToNum({after:UUID}))'
           }
           ORDER BY ${TABLE_ORDER} LIMIT ${PAGE_VISITS}`,
          TABLE_ORDER,
          PAGE_BYTES,
        ),
        {
          ...hourParameters(hour),
          ...(after !== null && { project: after.project_id, at: after.occurred_at, after: after.id }),
        },
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map(({ found: _found, ...visit }) => visit as ArchivedVisit);
      if (rows.length === last.found && last.found < PAGE_VISITS) return;
      after = last;
    }
  }

  async countedIds(hour: Hour): Promise<string[]> {
    const rows = await this.clickhouse.query<{ id: string }>(
      `SELECT id FROM ${this.clickhouse.visits} WHERE ${IN_HOUR} AND project_id = '${NO_PROJECT}'`,
      hourParameters(hour),
    );
    return rows.map(({ id }) => id);
  }

  async clear(hour: Hour): Promise<void> {
    const { day, ...range } = hourParameters(hour);
    const partitions = ([0, 1] as const).map((isUnknown) => ({ day, is_unknown: isUnknown }));
    await alterPartitions(this.clickhouse, partitions, (name) => `DELETE ${name} WHERE ${IN_RANGE}`, range);
  }

  async write(_hour: Hour, visits: readonly ArchivedVisit[]): Promise<void> {
    await this.insert(visits.map(toLine));
  }

  async writeCountedIds(_hour: Hour, ids: readonly string[]): Promise<void> {
    await this.insert(ids.map(toIdLine));
  }

  private insert(lines: readonly string[]): Promise<void> {
    return this.clickhouse.insert(this.clickhouse.visits, COLUMN_NAMES, lines.join('\n'), crypto.randomUUID());
  }
}

function hourParameters(hour: Hour): { day: string; first: string; end: string } {
  const [first, end] = bounds(hour);
  return { day: new Date(hour * HOUR_MS).toISOString().slice(0, 10), first, end };
}
