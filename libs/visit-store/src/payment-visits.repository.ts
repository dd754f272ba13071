import { Injectable } from '@nestjs/common';
import type { HeaderValue, TimelineFilters } from '#libs/contracts';
import { PAYMENT_REQUEST_HEADERS, PAYMENT_RESPONSE_HEADERS } from '#libs/payments';
import { readColumns } from './read-as-columns.js';
import { RESPONSE_FLAGS } from './response-flags.js';
import { timestamp } from './rollups.js';
import { selectHeaders } from './select-headers.js';
import type { Snapshot } from './snapshot.js';
import type { TimeRange } from './time-range.js';
import { toSqlConditions } from './timeline-filters.js';

/** Visit in which the site asked for a payment, or the agent offered one. */
export interface PaymentVisitRow {
  id: string;
  /** Milliseconds since the epoch. */
  occurred_at: number;
  agent_id: string | null;
  result: string;
  status: number | null;
  client_address: string | null;
  /** Hash of the path with its query. */
  path_hash: string;
  request_headers: Record<string, HeaderValue> | null;
  response_headers: Record<string, HeaderValue> | null;
}

export interface PaymentVisitsRead extends TimeRange {
  filters: Partial<TimelineFilters>;
  /** Hosts in lower case. Redirects to other hosts are omitted. */
  tollHosts: readonly string[];
  /** Reads visits before this one. Null starts at the newest visit. */
  before: Pick<PaymentVisitRow, 'occurred_at' | 'id'> | null;
  limit: number;
}

/** Maximum length of a header value as JSON, in characters or bytes. Headers with longer values are omitted. */
export const MAX_PAYMENT_HEADER_LENGTH = 6_000;
/**
 * Flags of visits that can be payments. The partial indexes of both visit tables contain the visits with status 402 or
 * one of these flags. PostgreSQL only uses them if the query contains the same condition.
 */
export const PAYMENT_FLAGS = RESPONSE_FLAGS.payment | RESPONSE_FLAGS.redirect;
/** Reads payments. */
@Injectable()
export class PaymentVisitsRepository {
  /** Returns visits, newest first. */
  async read(snapshot: Snapshot, projectId: string, read: PaymentVisitsRead): Promise<PaymentVisitRow[]> {
    const { from, to, filters, tollHosts, before, limit } = read;
    const parameters: unknown[] = [];
    const bind = (parameter: unknown): string => `$${parameters.push(parameter)}`;
    const conditions = [`project_id = ${bind(projectId)}`, ...toSqlConditions({ ...filters, from, to }, bind)];
    if (before !== null) {
      conditions.push(`(occurred_at, id) < (${timestamp(bind(before.occurred_at))}, ${bind(before.id)}::uuid)`);
    }
    const isToll =
      tollHosts.length === 0
        ? 'false'
        : `response_flags & ${RESPONSE_FLAGS.redirect} <> 0 AND EXISTS (
             SELECT FROM json_each_text(document #> '{visit,response_headers}'), unnest(${bind(tollHosts)}::text[]) AS host
             WHERE lower(key) = 'location' AND strpos(lower(value), host) > 0)`;
    const columns = {
      id: 'id',
      occurred_at: 'floor(extract(epoch FROM occurred_at) * 1000)',
      agent_id: 'agent_id',
      result: 'result',
      status: 'status',
      client_address: 'client_address',
      path_hash: 'hashtextextended(path, 0)::text',
      request_headers: selectHeaders(
        `document #> '{visit,request_headers}'`,
        PAYMENT_REQUEST_HEADERS,
        MAX_PAYMENT_HEADER_LENGTH,
      ),
      response_headers: selectHeaders(
        `document #> '{visit,response_headers}'`,
        PAYMENT_RESPONSE_HEADERS,
        MAX_PAYMENT_HEADER_LENGTH,
      ),
    };
    return readColumns<PaymentVisitRow>(
      snapshot,
      columns,
      `FROM (
         SELECT * FROM visits_full
         WHERE ${conditions.join(' AND ')}
           AND (status = 402 OR response_flags & ${RESPONSE_FLAGS.payment} <> 0 OR (${isToll}))
           AND (status = 402 OR response_flags & ${PAYMENT_FLAGS} <> 0)
         ORDER BY occurred_at DESC, id DESC LIMIT ${limit}
       ) visit ORDER BY visit.occurred_at DESC, visit.id DESC`,
      parameters,
    );
  }
}
