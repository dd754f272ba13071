import { Injectable } from '@nestjs/common';
import {
  COMPLIANCE_DIMENSIONS,
  firstIdAt,
  MAX_COMPARED_VISITS,
  MAX_ROBOTS_FETCHES,
  ROBOTS_VERDICTS,
} from '#libs/contracts';
import { select, type Snapshot } from './snapshot.js';
import { timestamp } from './rollups.js';
import type { TimeRange } from './time-range.js';

const DISALLOWED = ROBOTS_VERDICTS.indexOf('disallowed') + 1;

export interface DisallowedTimes {
  agent_id: string;
  /** Number of the agent's visits among the newest disallowed visits. Leaves out visits that failed verification. */
  visits: number;
  /** Null if there are no such visits. */
  first_at: Date | null;
  last_at: Date | null;
  /** Start of the 15-minute bucket of the agent's last robots.txt fetch. */
  last_fetch_at: Date | null;
  /** Visits compared with the agent's fetches. `read_before` of them followed a fetch within 24 hours. */
  judged: number;
  read_before: number;
  /** Number of disallowed visits that were read, of all agents. */
  read: number;
}

/** Reads the times of disallowed visits, which counts don't have. */
@Injectable()
export class ComplianceRepository {
  /**
   * Returns the agents with a disallowed visit or a robots.txt fetch among the newest in the range.
   *
   * The time of a fetch is a 15-minute bucket. A fetch in the same bucket as a visit counts as earlier. If there are
   * too many fetches to read, visits are only compared if they occurred at least 24 hours after the oldest fetch read.
   */
  async disallowedTimes(snapshot: Snapshot, projectId: string, { from, to }: TimeRange): Promise<DisallowedTimes[]> {
    return select(
      snapshot,
      // Literals, because parameters wouldn't match the partial indexes.
      `WITH newest AS MATERIALIZED (
         SELECT agent_id, result, occurred_at FROM visits
         WHERE project_id = $1 AND occurred_at >= ${timestamp('$2')} AND occurred_at < ${timestamp('$3')}
           AND id >= $4::uuid AND robots = ${DISALLOWED}
         ORDER BY occurred_at DESC, id DESC LIMIT ${MAX_COMPARED_VISITS + 1}
       ), fetches AS MATERIALIZED (
         SELECT value::uuid AS agent_id, bucket FROM visit_top_counts
         WHERE project_id = $1 AND dimension = '${COMPLIANCE_DIMENSIONS.robotsFetches}'
           AND dimension NOT IN ('page', 'agent_page', 'status', 'agent_status') AND value <> ''
           AND bucket >= (
             -- Fetches more than a day before the oldest of these visits are compared with none of them.
             SELECT CASE WHEN count(*) > ${MAX_COMPARED_VISITS} THEN date_bin('15 minutes', min(occurred_at), 'epoch')
               ELSE ${timestamp('$2')} END - interval '1 day' FROM newest
           ) AND bucket < ${timestamp('$3')}
         ORDER BY bucket DESC LIMIT ${MAX_ROBOTS_FETCHES}
       ), known AS (
         SELECT CASE WHEN count(*) < ${MAX_ROBOTS_FETCHES} THEN '-infinity' ELSE min(bucket) + interval '1 day' END AS since
         FROM fetches
       ), events AS (
         SELECT agent_id, occurred_at AS at, NULL::timestamptz AS fetched_at
         FROM newest WHERE result <> 'verification_failed'
         UNION ALL
         SELECT agent_id, bucket, bucket FROM fetches WHERE agent_id IN (SELECT agent_id FROM newest)
       ), told AS (
         SELECT agent_id, at, fetched_at, max(fetched_at) OVER (
           PARTITION BY agent_id ORDER BY at, fetched_at NULLS LAST ROWS UNBOUNDED PRECEDING
         ) AS last_fetch_at
         FROM events
       )
       SELECT coalesce(d.agent_id, f.agent_id) AS agent_id, coalesce(visits, 0) AS visits, first_at, last_at,
         last_fetch_at, coalesce(judged, 0) AS judged, coalesce(read_before, 0) AS read_before,
         (SELECT count(*) FROM newest)::float8 AS read
       FROM (
         SELECT agent_id, count(*)::float8 AS visits, min(at) AS first_at, max(at) AS last_at,
           (count(*) FILTER (WHERE at >= since))::float8 AS judged,
           (count(*) FILTER (WHERE at >= since AND told.last_fetch_at >= at - interval '1 day'))::float8 AS read_before
         FROM told, known WHERE fetched_at IS NULL GROUP BY 1
       ) d FULL JOIN (SELECT agent_id, max(bucket) AS last_fetch_at FROM fetches GROUP BY 1) f USING (agent_id)`,
      [projectId, from, to, firstIdAt(from)],
    );
  }
}
