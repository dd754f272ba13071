import { Injectable } from '@nestjs/common';
import { getFirstIdAt, type HeaderValue, type TimelineFilters } from '#libs/contracts';
import { PAYMENT_REQUEST_HEADERS, PAYMENT_RESPONSE_HEADERS } from '#libs/payments';
import { readAsColumns } from './read-as-columns.js';
import { RESPONSE_FLAGS } from './response-flags.js';
import { timestamp } from './rollups.js';
import { selectHeaders } from './select-headers.js';
import { select, type Snapshot } from './snapshot.js';
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

/** Time in which visits by other identities from a network are counted. */
export interface ReturnWindow {
  /** Identity that was asked to pay, as returned by {@link toIdentity}. */
  identity: string;
  /** Network in CIDR notation: /24 for IPv4, or /48 for IPv6. */
  network: string;
  /** Counts only visits from this address, or from the entire network if null. */
  address: string | null;
  /** Start, excluded, and end, included, in milliseconds since the epoch. */
  start: number;
  end: number;
}

/** Visits by another identity in a {@link ReturnWindow}. */
export interface ReturnVisits {
  /** Index of the window. */
  number: number;
  agent_id: string | null;
  is_spoofed: boolean;
  visits: number;
  /** Time of the first visit, in milliseconds since the epoch. */
  first_at: number;
  /** IDs of the first visits. */
  ids: string[];
}

/** Maximum length of a header value as JSON, in characters or bytes. Headers with longer values are omitted. */
export const MAX_PAYMENT_HEADER_LENGTH = 6_000;
/**
 * Flags of visits that can be payments. The partial indexes of both visit tables contain the visits with status 402 or
 * one of these flags. PostgreSQL only uses them if the query contains the same condition.
 */
export const PAYMENT_FLAGS = RESPONSE_FLAGS.payment | RESPONSE_FLAGS.redirect;
/** Maximum number of IDs per window and identity. */
export const MAX_RETURN_IDS = 3;

/** Returns the address or network whose visits a window counts. */
export const getWindowOrigin = ({ address, network }: ReturnWindow): string => address ?? network;

/** Returns a text that identifies an agent, or those who claim to be the agent. */
export const toIdentity = (agentId: string | null, isSpoofed: boolean): string =>
  `${agentId ?? '-'}${isSpoofed ? '!' : ''}`;

const CLIENT_ADDRESS = `(CASE WHEN form IS NULL THEN document ->> 'client_address' ELSE document ->> 0 END)`;
const NETWORK = `network(set_masklen(address::inet, CASE family(address::inet) WHEN 4 THEN 24 ELSE 48 END))::text`;

/** Reads payments, and visits of those who were asked to pay under another identity. */
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
    } satisfies Record<keyof PaymentVisitRow, string>;
    return readAsColumns<PaymentVisitRow>(
      snapshot,
      Object.keys(columns),
      `SELECT ${Object.entries(columns)
        .map(([name, sql]) => `${sql} AS ${name}`)
        .join(', ')}
       FROM (
         SELECT * FROM visits_full
         WHERE ${conditions.join(' AND ')}
           AND (status = 402 OR response_flags & ${RESPONSE_FLAGS.payment} <> 0 OR (${isToll}))
           AND (status = 402 OR response_flags & ${PAYMENT_FLAGS} <> 0)
         ORDER BY occurred_at DESC, id DESC LIMIT ${limit}
       ) visit ORDER BY visit.occurred_at DESC, visit.id DESC`,
      parameters,
    );
  }

  /** Counts visits by other identities in the windows. */
  returns(snapshot: Snapshot, projectId: string, windows: readonly ReturnWindow[]): Promise<ReturnVisits[]> {
    const start = Math.min(...windows.map((window) => window.start));
    const end = Math.max(...windows.map((window) => window.end));
    return select(
      snapshot,
      `SELECT number::integer, agent_id, is_spoofed, count(*)::float8 AS visits, min(at)::float8 AS first_at,
         (array_agg(id ORDER BY at, id))[:${MAX_RETURN_IDS}] AS ids
       FROM (
         SELECT id, floor(extract(epoch FROM occurred_at) * 1000) AS at, agent_id, is_spoofed,
           ${CLIENT_ADDRESS} AS address,
           coalesce(agent_id::text, '-') || CASE WHEN is_spoofed THEN '!' ELSE '' END AS identity
         FROM (
           SELECT id, project_id, occurred_at, agent_id, result = 'verification_failed' AS is_spoofed, document, form
           FROM visits
           UNION ALL
           SELECT id, project_id, occurred_at, NULL, false, document, form FROM unknown_visits
         ) v
         WHERE project_id = $1 AND occurred_at >= ${timestamp('$2')} AND occurred_at <= ${timestamp('$3')} + interval '1 ms'
           AND id >= $4::uuid
       ) visit
       CROSS JOIN LATERAL (VALUES (address), (${NETWORK})) AS origins (origin)
       JOIN unnest($5::text[], $6::text[], $7::float8[], $8::float8[]) WITH ORDINALITY
         AS windows (asked_identity, origin, start, "end", number) USING (origin)
       WHERE at > start AND at <= "end" AND identity <> asked_identity
       GROUP BY number, agent_id, is_spoofed ORDER BY number, visits DESC, agent_id`,
      [
        projectId,
        start,
        end,
        getFirstIdAt(start),
        windows.map(({ identity }) => identity),
        windows.map(getWindowOrigin),
        windows.map((window) => window.start),
        windows.map((window) => window.end),
      ],
    );
  }
}
