import { Injectable } from '@nestjs/common';
import { PAYMENT_REQUEST_HEADERS, PAYMENT_RESPONSE_HEADERS } from '#libs/payments';
import {
  MAX_PAYMENT_HEADER_LENGTH,
  PAYMENT_FLAGS,
  type PaymentVisitRow,
  type PaymentVisitsRead,
  type PaymentVisitsRepository,
} from '../payment-visits.repository.js';
import type { PublicOf } from '../public-of.js';
import { RESPONSE_FLAGS } from '../response-flags.js';
import type { Snapshot } from '../snapshot.js';
import { toClickHouseConditions } from '../timeline-filters.js';
import { ClickHouse } from './clickhouse.js';
import { selectHeaders, toHeaders, type WithHeaderPairs } from './select-headers.js';
import { createParameters } from './statement-parameters.js';
import { NEWEST_FIRST } from './visit-range.js';

type Row = WithHeaderPairs<PaymentVisitRow>;

@Injectable()
export class ClickHousePaymentVisitsRepository implements PublicOf<PaymentVisitsRepository> {
  constructor(private readonly clickhouse: ClickHouse) {}

  async read({ timeoutMs }: Snapshot, projectId: string, read: PaymentVisitsRead): Promise<PaymentVisitRow[]> {
    const { from, to, filters, tollHosts, before, limit } = read;
    const { parameters, bind } = createParameters();
    const conditions = [
      `project_id = ${bind(projectId, 'UUID')}`,
      ...toClickHouseConditions({ ...filters, from, to }, bind),
    ];
    if (before !== null) {
      conditions.push(
        `(occurred_at, UUIDToNum(id)) < (${bind(before.occurred_at, 'Int64')}, UUIDToNum(${bind(before.id, 'UUID')}))`,
      );
    }
    const isToll =
      tollHosts.length === 0
        ? 'false'
        : `bitAnd(response_flags, ${RESPONSE_FLAGS.redirect}) <> 0 AND arrayExists(
             h -> lower(h.1) = 'location' AND multiSearchAny(lower(h.2), ${bind(tollHosts, 'Array(String)')}),
             JSONExtractKeysAndValuesRaw(document, 'visit', 'response_headers'))`;
    const rows = await this.clickhouse.query<Row>(
      `SELECT id, occurred_at, agent_id, result, status, client_address, toString(cityHash64(path)) AS path_hash,
         ${selectHeaders('request_headers', PAYMENT_REQUEST_HEADERS, MAX_PAYMENT_HEADER_LENGTH)} AS request_headers,
         ${selectHeaders('response_headers', PAYMENT_RESPONSE_HEADERS, MAX_PAYMENT_HEADER_LENGTH)} AS response_headers
       FROM (
         SELECT id, occurred_at, agent_id, result, status, client_address, path, document
         FROM ${this.clickhouse.visits}
         WHERE ${conditions.join(' AND ')}
           AND (status = 402 OR bitAnd(response_flags, ${PAYMENT_FLAGS}) <> 0)
           AND (status = 402 OR bitAnd(response_flags, ${RESPONSE_FLAGS.payment}) <> 0 OR (${isToll}))
         ORDER BY ${NEWEST_FIRST} LIMIT ${limit}
       ) ORDER BY ${NEWEST_FIRST}`,
      parameters,
      { timeoutMs },
    );
    return rows.map(({ request_headers: request, response_headers: response, ...row }) => ({
      ...row,
      request_headers: toHeaders(request),
      response_headers: toHeaders(response),
    }));
  }
}
