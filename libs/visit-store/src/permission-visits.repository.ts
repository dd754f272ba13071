import { Injectable } from '@nestjs/common';
import { getFirstIdAt, type HeaderValue } from '#libs/contracts';
import { readColumns } from './read-as-columns.js';
import { timestamp } from './rollups.js';
import type { Snapshot } from './snapshot.js';

/** Response headers that are read, in lower case. */
export const PERMISSION_HEADERS = ['content-usage', 'x-robots-tag', 'cf-mitigated', 'x-amzn-waf-action'] as const;
/** Maximum length of a header value as JSON. Headers with longer values are omitted. */
export const MAX_PERMISSION_HEADER_LENGTH = 1_000;
export const MAX_PERMISSION_PATH_LENGTH = 500;

export interface PermissionVisit {
  id: string;
  /** Milliseconds since the epoch. */
  occurred_at: number;
  agent_id: string;
  /** Path without the query string, truncated to {@link MAX_PERMISSION_PATH_LENGTH} characters. */
  path: string;
  status: number | null;
  /** Position of the verdict in `ROBOTS_VERDICTS`, starting at 1. */
  robots: number | null;
  /** ID of the robots.txt version that the visit was judged by. */
  robots_version: string | null;
  /** Only {@link PERMISSION_HEADERS}, or null if the response has none of them. */
  response_headers: Record<string, HeaderValue> | null;
}

export interface PermissionVisitsRead {
  /** Starts of UTC days in milliseconds since the epoch, in ascending order. */
  days: readonly number[];
  /** End of the last day that is read, in milliseconds since the epoch. */
  to: number;
  agentTypes: readonly string[];
  maxPerDay: number;
}

/** Reads how requests of agents were answered. */
@Injectable()
export class PermissionVisitsRepository {
  /**
   * Returns the newest visits of each day by agents of the types, newest first. Visits that failed verification and
   * requests for /robots.txt are not included.
   */
  async newestPerDay(
    snapshot: Snapshot,
    projectId: string,
    { days, to, agentTypes, maxPerDay }: PermissionVisitsRead,
  ): Promise<PermissionVisit[]> {
    const headers = `document #> '{visit,response_headers}'`;
    const columns = {
      id: 'id',
      occurred_at: 'floor(extract(epoch FROM occurred_at) * 1000)',
      agent_id: 'agent_id',
      path: `left(split_part(path, '?', 1), ${MAX_PERMISSION_PATH_LENGTH})`,
      status: 'status',
      robots: 'robots',
      robots_version: `document #>> '{robots,version}'`,
      response_headers: `(
        SELECT json_object_agg(key, value)
        FROM json_each(CASE WHEN json_typeof(${headers}) = 'object' THEN ${headers} END)
        WHERE lower(key) IN (${PERMISSION_HEADERS.map((name) => `'${name}'`).join(', ')})
          AND length(value::text) <= ${MAX_PERMISSION_HEADER_LENGTH}
      )`,
    };
    return readColumns<PermissionVisit>(
      snapshot,
      columns,
      `FROM unnest($2::float8[]) AS start, LATERAL (
         SELECT * FROM visits_full
         WHERE project_id = $1 AND agent_id IS NOT NULL AND agent_type = ANY ($3::text[])
           AND result <> 'verification_failed' AND split_part(path, '?', 1) <> '/robots.txt'
           AND occurred_at >= ${timestamp('start')} AND occurred_at < ${timestamp('least(start + 86400000, $4::float8)')}
           AND id >= $5::uuid
         ORDER BY occurred_at DESC, id DESC LIMIT $6
       ) visit ORDER BY visit.occurred_at DESC, visit.id DESC`,
      [projectId, days, agentTypes, to, getFirstIdAt(days[0] ?? 0), maxPerDay],
    );
  }
}
