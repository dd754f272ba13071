import { Injectable } from '@nestjs/common';
import {
  CONDUCT_REQUEST_HEADERS,
  CONDUCT_RESPONSE_HEADERS,
  MAX_CONDUCT_HEADER_LENGTH,
  MAX_ROBOTS_REQUESTS,
  type ConductRepository,
  type ConductVisit,
  type RobotsRequest,
} from '../conduct.repository.js';
import type { PublicOf } from '../public-of.js';
import type { Snapshot } from '../snapshot.js';
import type { TimeRange } from '../time-range.js';
import { ClickHouse } from './clickhouse.js';
import { toReceiptDay } from './receipt-day.js';
import { selectHeaders, toHeaders } from './select-headers.js';
import { IN_RANGE, NEWEST_FIRST, OLDEST_FIRST, rangeParameters } from './visit-range.js';

const DAY_MS = 86_400_000;

type Flag = 'is_robots_txt' | 'has_response_headers';
type WithHeaders<T> = Omit<T, 'request_headers' | 'response_headers' | Flag> & {
  /** Names and JSON values. */
  request_headers: [string, string][];
};
type VisitRow = WithHeaders<ConductVisit> & { response_headers: [string, string][] } & Record<Flag, number>;

@Injectable()
export class ClickHouseConductRepository implements PublicOf<ConductRepository> {
  constructor(private readonly clickhouse: ClickHouse) {}

  async agentVisits(
    { timeoutMs }: Snapshot,
    projectId: string,
    agentId: string,
    days: readonly number[],
    maxPerDay: number,
  ): Promise<ConductVisit[]> {
    if (days.length === 0) return [];
    const range = { from: days[0]!, to: days.at(-1)! + DAY_MS };
    const rows = await this.clickhouse.query<VisitRow>(
      `SELECT id, occurred_at, toString(cityHash64(path)) AS path_hash, ${IS_ROBOTS_TXT} AS is_robots_txt, status, robots,
         JSONExtract(document, 'robots', 'version', 'Nullable(String)') AS robots_version,
         JSONExtract(document, 'visit', 'request_method', 'Nullable(String)') AS method,
         JSONExtract(document, 'visit', 'response_duration_in_milliseconds', 'Nullable(Float64)') AS duration_ms,
         ${selectHeaders('request_headers', CONDUCT_REQUEST_HEADERS, MAX_CONDUCT_HEADER_LENGTH)} AS request_headers,
         ${selectHeaders('response_headers', CONDUCT_RESPONSE_HEADERS, MAX_CONDUCT_HEADER_LENGTH)} AS response_headers,
         JSONLength(document, 'visit', 'response_headers') > 0 AS has_response_headers
       FROM (
         SELECT id, occurred_at, path, status, robots, document FROM ${this.clickhouse.visits}
         WHERE ${IN_RANGE} AND day >= {receivedFrom:Date} AND agent_id IS NOT NULL AND agent_id = {agent:UUID}
           AND result <> 'verification_failed' AND intDiv(occurred_at, ${DAY_MS}) IN {days:Array(Int64)}
         ORDER BY ${OLDEST_FIRST} LIMIT {max:UInt32} BY intDiv(occurred_at, ${DAY_MS})
       ) ORDER BY ${OLDEST_FIRST}`,
      {
        ...rangeParameters(projectId, range),
        receivedFrom: toReceiptDay(range.from),
        agent: agentId,
        days: days.map((start) => start / DAY_MS),
        max: maxPerDay,
      },
      { timeoutMs },
    );
    return rows.map(({ request_headers, response_headers, is_robots_txt, has_response_headers, ...row }) => ({
      ...row,
      is_robots_txt: is_robots_txt === 1,
      request_headers: toHeaders(request_headers),
      response_headers: toHeaders(response_headers),
      has_response_headers: has_response_headers === 1,
    }));
  }

  async robotsRequests({ timeoutMs }: Snapshot, projectId: string, range: TimeRange): Promise<RobotsRequest[]> {
    const rows = await this.clickhouse.query<WithHeaders<RobotsRequest>>(
      `SELECT agent_id, operator, occurred_at, status,
         ${selectHeaders('request_headers', ['host', ':authority'], MAX_CONDUCT_HEADER_LENGTH)} AS request_headers
       FROM (
         SELECT id, agent_id, operator, occurred_at, status, document FROM ${this.clickhouse.visits}
         WHERE ${IN_RANGE} AND day >= {receivedFrom:Date} AND agent_id IS NOT NULL AND ${IS_ROBOTS_TXT}
           AND result <> 'verification_failed'
         ORDER BY ${NEWEST_FIRST} LIMIT ${MAX_ROBOTS_REQUESTS}
       ) ORDER BY ${OLDEST_FIRST}`,
      { ...rangeParameters(projectId, range), receivedFrom: toReceiptDay(range.from) },
      { timeoutMs },
    );
    return rows.map(({ request_headers: headers, ...row }) => ({ ...row, request_headers: toHeaders(headers) }));
  }
}

const IS_ROBOTS_TXT = `substringIndex(path, '?', 1) = '/robots.txt'`;
