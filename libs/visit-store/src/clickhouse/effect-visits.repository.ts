import { Injectable } from '@nestjs/common';
import {
  BROWSER_HEADERS,
  CAN_BE_BLOCKED,
  MAX_EFFECT_HEADER_LENGTH,
  RETRY_HEADERS,
  type ActedVisit,
  type EffectRead,
  type EffectVisitors,
  type EffectVisitsRepository,
  type NextVisit,
  type ServedResponses,
} from '../effect-visits.repository.js';
import type { PublicOf } from '../public-of.js';
import type { Snapshot } from '../snapshot.js';
import type { TimeRange } from '../time-range.js';
import { hasDecision } from '../timeline-filters.js';
import { ClickHouse } from './clickhouse.js';
import { toReceiptDay } from './receipt-day.js';
import { selectHeaders, toHeaders, type WithHeaderPairs } from './select-headers.js';
import { createParameters } from './statement-parameters.js';
import { NEWEST_FIRST, OLDEST_FIRST } from './visit-range.js';

type Row = WithHeaderPairs<ActedVisit>;

@Injectable()
export class ClickHouseEffectVisitsRepository implements PublicOf<EffectVisitsRepository> {
  constructor(private readonly clickhouse: ClickHouse) {}

  async acted({ timeoutMs }: Snapshot, projectId: string, read: EffectRead, limit: number): Promise<ActedVisit[]> {
    const { parameters, bind, conditions } = start(projectId, read);
    const rows = await this.clickhouse.query<Row>(
      `SELECT id, occurred_at, agent_id, operator, result, client_address, path, decisions,
         if(agent_id IS NULL, ${selectHeaders('request_headers', BROWSER_HEADERS, MAX_EFFECT_HEADER_LENGTH)}, [])
           AS request_headers,
         ${selectHeaders('response_headers', RETRY_HEADERS, MAX_EFFECT_HEADER_LENGTH)} AS response_headers
       FROM (
         SELECT id, occurred_at, agent_id, operator, result, client_address, path, decisions, document
         FROM ${this.clickhouse.visits}
         WHERE ${conditions.join(' AND ')} AND ${hasDecision(read.decisions).clickHouse(bind)}
         ORDER BY ${NEWEST_FIRST} LIMIT ${limit}
       ) ORDER BY ${NEWEST_FIRST}`,
      parameters,
      { timeoutMs },
    );
    return rows.map(({ request_headers: request, response_headers: response, ...row }) => ({
      ...row,
      request_headers: row.agent_id === null ? toHeaders(request) : null,
      response_headers: toHeaders(response),
    }));
  }

  next(
    { timeoutMs }: Snapshot,
    projectId: string,
    read: EffectRead,
    { agents, addresses }: EffectVisitors,
  ): Promise<NextVisit[]> {
    const { parameters, bind, conditions } = start(projectId, read);
    return this.clickhouse.query(
      `SELECT id, next_id, next_at
       FROM (
         SELECT id, decisions, leadInFrame(toNullable(id)) OVER visitor AS next_id,
           leadInFrame(toNullable(occurred_at)) OVER visitor AS next_at
         FROM (
           SELECT id, occurred_at, decisions, agent_id, result = 'verification_failed' AS is_spoofed,
             if(agent_id IS NULL OR is_spoofed, client_address, NULL) AS address
           FROM ${this.clickhouse.visits}
           WHERE ${conditions.join(' AND ')}
             AND if(agent_id IS NULL, ifNull(client_address IN ${bind(addresses, 'Array(String)')}, false),
               agent_id IN ${bind(agents, 'Array(UUID)')})
         )
         WINDOW visitor AS (
           PARTITION BY agent_id, is_spoofed, address ORDER BY ${OLDEST_FIRST}
           ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
         )
       ) WHERE next_id IS NOT NULL AND ${hasDecision(read.decisions).clickHouse(bind)}`,
      parameters,
      { timeoutMs },
    );
  }

  async served(
    { timeoutMs }: Snapshot,
    projectId: string,
    range: TimeRange,
    agents: readonly string[],
    limit: number,
  ): Promise<ServedResponses[]> {
    const { parameters, bind, conditions } = start(projectId, range);
    const rows = await this.clickhouse.query<Omit<ServedResponses, 'is_spoofed'> & { is_spoofed: number }>(
      `SELECT agent_id, is_spoofed, count() AS responses,
         if(count(response_bytes) = 0, NULL, quantileExactLow(0.5)(response_bytes)) AS bytes,
         if(count(response_us) = 0, NULL, quantileExactLow(0.5)(response_us)) AS microseconds
       FROM (
         SELECT agent_id, result = 'verification_failed' AS is_spoofed, response_bytes, response_us
         FROM ${this.clickhouse.visits}
         WHERE ${conditions.join(' AND ')} AND agent_id IS NOT NULL AND agent_id IN ${bind(agents, 'Array(UUID)')}
           AND status >= 200 AND status < 300
           AND ${CAN_BE_BLOCKED}
         ORDER BY ${NEWEST_FIRST} LIMIT ${limit} BY agent_id, is_spoofed
       ) GROUP BY agent_id, is_spoofed ORDER BY toString(agent_id), is_spoofed`,
      parameters,
      { timeoutMs },
    );
    return rows.map(({ is_spoofed: isSpoofed, ...row }) => ({ ...row, is_spoofed: isSpoofed === 1 }));
  }
}

function start(projectId: string, { from, to }: TimeRange) {
  const { parameters, bind } = createParameters();
  const conditions = [
    `project_id = ${bind(projectId, 'UUID')}`,
    `occurred_at >= ${bind(from, 'Int64')} AND occurred_at < ${bind(to, 'Int64')}`,
    `day >= ${bind(toReceiptDay(from), 'Date')}`,
  ];
  return { parameters, bind, conditions };
}
