import { Injectable } from '@nestjs/common';
import { PAYMENT_REQUEST_HEADERS, PAYMENT_RESPONSE_HEADERS } from '#libs/payments';
import {
  getWindowOrigin,
  MAX_PAYMENT_HEADER_LENGTH,
  MAX_RETURN_IDS,
  PAYMENT_FLAGS,
  type PaymentVisitRow,
  type PaymentVisitsRead,
  type PaymentVisitsRepository,
  type ReturnVisits,
  type ReturnWindow,
} from '../payment-visits.repository.js';
import type { PublicOf } from '../public-of.js';
import { RESPONSE_FLAGS } from '../response-flags.js';
import type { Snapshot } from '../snapshot.js';
import { toClickHouseConditions } from '../timeline-filters.js';
import { ClickHouse } from './clickhouse.js';
import { toReceiptDay } from './receipt-day.js';
import { selectHeaders, toHeaders } from './select-headers.js';
import { createParameters } from './statement-parameters.js';
import { NEWEST_FIRST } from './visit-range.js';

type Pairs = [string, string][];
type Row = Omit<PaymentVisitRow, 'request_headers' | 'response_headers'> & {
  request_headers: Pairs;
  response_headers: Pairs;
};

const IS_IPV4 = 'isIPv4String(client_address)';
const NETWORK = `if(${IS_IPV4},
  concat(toString(tupleElement(IPv4CIDRToRange(toIPv4OrDefault(client_address), 24), 1)), '/24'),
  concat(toString(tupleElement(IPv6CIDRToRange(toIPv6OrDefault(client_address), 48), 1)), '/48'))`;

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

  async returns({ timeoutMs }: Snapshot, projectId: string, windows: readonly ReturnWindow[]): Promise<ReturnVisits[]> {
    const start = Math.min(...windows.map((window) => window.start));
    const end = Math.max(...windows.map((window) => window.end));
    const rows = await this.clickhouse.query<Omit<ReturnVisits, 'is_spoofed'> & { is_spoofed: number }>(
      `SELECT number, agent_id, is_spoofed, count() AS visits, min(occurred_at) AS first_at,
         arrayMap(v -> v.3, arraySlice(arraySort(groupArray((occurred_at, UUIDToNum(id), id))), 1, ${MAX_RETURN_IDS})) AS ids
       FROM (
         SELECT id, occurred_at, agent_id, result = 'verification_failed' AS is_spoofed,
           arrayJoin([assumeNotNull(client_address), ${NETWORK}]) AS origin,
           concat(ifNull(toString(agent_id), '-'), if(is_spoofed, '!', '')) AS identity
         FROM ${this.clickhouse.visits}
         WHERE project_id = {project:UUID} AND occurred_at >= {start:Int64} AND occurred_at <= {end:Int64}
           AND day >= {receivedFrom:Date} AND client_address IS NOT NULL
       ) AS visit
       JOIN (
         SELECT toUInt32(number) AS number, identities[number] AS asked_identity, origins[number] AS origin,
           starts[number] AS start, ends[number] AS end
         FROM (
           SELECT {identities:Array(String)} AS identities, {origins:Array(String)} AS origins,
             {starts:Array(Int64)} AS starts, {ends:Array(Int64)} AS ends
         ) ARRAY JOIN arrayEnumerate(origins) AS number
       ) AS asked ON visit.origin = asked.origin
       WHERE occurred_at > asked.start AND occurred_at <= asked.end AND identity <> asked_identity
       GROUP BY number, agent_id, is_spoofed ORDER BY number, visits DESC, toString(agent_id)`,
      {
        project: projectId,
        start,
        end,
        receivedFrom: toReceiptDay(start),
        identities: windows.map(({ identity }) => identity),
        origins: windows.map(getWindowOrigin),
        starts: windows.map((window) => window.start),
        ends: windows.map((window) => window.end),
      },
      { timeoutMs },
    );
    return rows.map(({ number, is_spoofed, ...row }) => ({ ...row, number, is_spoofed: is_spoofed === 1 }));
  }
}
