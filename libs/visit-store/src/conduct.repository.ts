import { Injectable } from '@nestjs/common';
import { getFirstIdAt, type HeaderValue } from '#libs/contracts';
import { readAsColumns, readColumns } from './read-as-columns.js';
import { selectHeaders } from './select-headers.js';
import { timestamp } from './rollups.js';
import type { Snapshot } from './snapshot.js';
import type { TimeRange } from './time-range.js';

/** Maximum number of /robots.txt requests to read. */
export const MAX_ROBOTS_REQUESTS = 20_000;

/** Headers that are read, in lower case. */
export const CONDUCT_REQUEST_HEADERS = [
  'host',
  ':authority',
  'accept-encoding',
  'if-none-match',
  'if-modified-since',
] as const;
export const CONDUCT_RESPONSE_HEADERS = ['retry-after', 'date', 'etag', 'last-modified', 'cache-control'] as const;
/** Maximum length of a header value as JSON, in bytes or characters. Headers with longer values are omitted. */
export const MAX_CONDUCT_HEADER_LENGTH = 1_000;

type Headers = Record<string, HeaderValue>;

export interface ConductVisit {
  id: string;
  /** Milliseconds since the epoch. */
  occurred_at: number;
  /** Hash of the path with its query. */
  path_hash: string;
  is_robots_txt: boolean;
  status: number | null;
  /** Position of the verdict in `ROBOTS_VERDICTS`, starting at 1. */
  robots: number | null;
  /** ID of the robots.txt version that the visit was judged by. */
  robots_version: string | null;
  method: string | null;
  duration_ms: number | null;
  /** Only {@link CONDUCT_REQUEST_HEADERS}, or null if the visit has none of them. */
  request_headers: Headers | null;
  /** Only {@link CONDUCT_RESPONSE_HEADERS}, or null if the visit has none of them. */
  response_headers: Headers | null;
  /** Whether the source reported any response headers. */
  has_response_headers: boolean;
}

export interface RobotsRequest {
  agent_id: string;
  operator: string | null;
  /** Milliseconds since the epoch. */
  occurred_at: number;
  status: number | null;
  /** Only the host, or null if it wasn't reported. */
  request_headers: Headers | null;
}

/** Reads the requests of agents, without those that failed verification. */
@Injectable()
export class ConductRepository {
  /**
   * Returns the agent's first visits on each day, oldest first.
   *
   * @param days Starts of UTC days in milliseconds since the epoch, in ascending order.
   * @param maxPerDay Maximum number of visits per day.
   */
  async agentVisits(
    snapshot: Snapshot,
    projectId: string,
    agentId: string,
    days: readonly number[],
    maxPerDay: number,
  ): Promise<ConductVisit[]> {
    const columns = {
      id: 'id',
      occurred_at: 'floor(extract(epoch FROM occurred_at) * 1000)',
      path_hash: 'hashtextextended(path, 0)::text',
      is_robots_txt: IS_ROBOTS_TXT,
      status: 'status',
      robots: 'stored.robots',
      robots_version: `fields.robots ->> 'version'`,
      method: 'request_method',
      duration_ms: 'response_duration_in_milliseconds',
      request_headers: selectHeaders('request_headers', CONDUCT_REQUEST_HEADERS, MAX_CONDUCT_HEADER_LENGTH),
      response_headers: selectHeaders('response_headers', CONDUCT_RESPONSE_HEADERS, MAX_CONDUCT_HEADER_LENGTH),
      has_response_headers: `coalesce(response_headers::text NOT IN ('null', '{}'), false)`,
    };
    return readColumns<ConductVisit>(
      snapshot,
      columns,
      `FROM unnest($3::float8[]) AS start, LATERAL (
         SELECT * FROM visits_full
         WHERE project_id = $1 AND agent_id = $2 AND result <> 'verification_failed'
           AND occurred_at >= ${timestamp('start')} AND occurred_at < ${timestamp('start')} + interval '1 day'
           AND id >= $4::uuid
         ORDER BY occurred_at, id LIMIT $5
       ) stored,
         -- Parses each document only once.
         json_to_record(document) AS fields (visit json, robots json),
         json_to_record(visit) AS v (
           request_method text, response_duration_in_milliseconds float8, request_headers json, response_headers json
         )
       ORDER BY stored.occurred_at, stored.id`,
      [projectId, agentId, days, getFirstIdAt(days[0] ?? 0), maxPerDay],
    );
  }

  /** Returns the newest requests for /robots.txt by agents, oldest first. */
  async robotsRequests(snapshot: Snapshot, projectId: string, { from, to }: TimeRange): Promise<RobotsRequest[]> {
    const rows = await readAsColumns<RobotsRequest>(
      snapshot,
      ['agent_id', 'operator', 'occurred_at', 'status', 'request_headers'],
      `SELECT agent_id, operator, floor(extract(epoch FROM occurred_at) * 1000) AS occurred_at, status,
         ${selectHeaders(`document #> '{visit,request_headers}'`, ['host', ':authority'], MAX_CONDUCT_HEADER_LENGTH)} AS request_headers
       FROM (
         SELECT * FROM visits_full
         WHERE project_id = $1 AND agent_id IS NOT NULL AND left(path, 100) ^@ '/robots.txt' AND ${IS_ROBOTS_TXT}
           AND occurred_at >= ${timestamp('$2')} AND occurred_at < ${timestamp('$3')} AND id >= $4::uuid
           AND result <> 'verification_failed'
         ORDER BY occurred_at DESC, id DESC LIMIT ${MAX_ROBOTS_REQUESTS}
       ) newest`,
      [projectId, from, to, getFirstIdAt(from)],
    );
    return rows.toReversed();
  }
}

const IS_ROBOTS_TXT = `split_part(path, '?', 1) = '/robots.txt'`;
