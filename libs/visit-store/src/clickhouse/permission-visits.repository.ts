import { Injectable } from '@nestjs/common';
import type { HeaderValue } from '#libs/contracts';
import {
  MAX_PERMISSION_HEADER_LENGTH,
  MAX_PERMISSION_PATH_LENGTH,
  PERMISSION_HEADERS,
  type PermissionVisit,
  type PermissionVisitsRead,
  type PermissionVisitsRepository,
} from '../permission-visits.repository.js';
import type { PublicOf } from '../public-of.js';
import type { Snapshot } from '../snapshot.js';
import { ClickHouse } from './clickhouse.js';
import { toReceiptDay } from './receipt-day.js';
import { IN_RANGE, NEWEST_FIRST, rangeParameters } from './visit-range.js';

const DAY_MS = 86_400_000;

type Row = Omit<PermissionVisit, 'response_headers'> & {
  /** Names and JSON values. */
  response_headers: [string, string][];
};

@Injectable()
export class ClickHousePermissionVisitsRepository implements PublicOf<PermissionVisitsRepository> {
  constructor(private readonly clickhouse: ClickHouse) {}

  async newestPerDay(
    { timeoutMs }: Snapshot,
    projectId: string,
    { days, to, agentTypes, maxPerDay }: PermissionVisitsRead,
  ): Promise<PermissionVisit[]> {
    if (days.length === 0) return [];
    const range = { from: days[0]!, to };
    const rows = await this.clickhouse.query<Row>(
      `SELECT id, occurred_at, assumeNotNull(agent_id) AS agent_id,
         leftUTF8(substringIndex(path, '?', 1), ${MAX_PERMISSION_PATH_LENGTH}) AS path, status, robots,
         JSONExtract(document, 'robots', 'version', 'Nullable(String)') AS robots_version,
         arrayFilter(h -> lower(h.1) IN (${PERMISSION_HEADERS.map((name) => `'${name}'`).join(', ')})
           AND length(h.2) <= ${MAX_PERMISSION_HEADER_LENGTH},
           JSONExtractKeysAndValuesRaw(document, 'visit', 'response_headers')) AS response_headers
       FROM (
         SELECT id, occurred_at, agent_id, path, status, robots, document FROM ${this.clickhouse.visits}
         WHERE ${IN_RANGE} AND day >= {receivedFrom:Date} AND agent_id IS NOT NULL AND agent_type IN {types:Array(String)}
           AND result <> 'verification_failed' AND substringIndex(path, '?', 1) <> '/robots.txt'
           AND intDiv(occurred_at, ${DAY_MS}) IN {days:Array(Int64)}
         ORDER BY ${NEWEST_FIRST} LIMIT {max:UInt32} BY intDiv(occurred_at, ${DAY_MS})
       ) ORDER BY ${NEWEST_FIRST}`,
      {
        ...rangeParameters(projectId, range),
        receivedFrom: toReceiptDay(range.from),
        types: agentTypes,
        days: days.map((start) => start / DAY_MS),
        max: maxPerDay,
      },
      { timeoutMs },
    );
    return rows.map(({ response_headers: headers, ...row }) => ({
      ...row,
      response_headers:
        headers.length === 0
          ? null
          : Object.fromEntries(headers.map(([name, value]) => [name, JSON.parse(value) as HeaderValue])),
    }));
  }
}
