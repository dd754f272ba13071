import { Injectable } from '@nestjs/common';
import {
  COMPLIANCE_DIMENSIONS,
  getFirstIdAt,
  MAX_COMPARED_VISITS,
  MAX_ROBOTS_FETCHES,
  ROBOTS_VERDICTS,
} from '#libs/contracts';
import { select, type Snapshot } from './snapshot.js';
import { dimensionCondition, timestamp } from './rollups.js';
import type { TimeRange } from './time-range.js';

export const DISALLOWED_VERDICT = ROBOTS_VERDICTS.indexOf('disallowed') + 1;

export interface DisallowedTimes {
  agent_id: string;
  /** Number of the agent's visits in the sample of disallowed visits. Excludes visits that failed verification. */
  visits: number;
  /** Time of the agent's first visit in the sample, or null if the sample contains no visits by the agent. */
  first_at: Date | null;
  last_at: Date | null;
  /** Start of the 15-minute bucket that contains the agent's last robots.txt fetch. */
  last_fetch_at: Date | null;
  /**
   * Number of visits that were compared with the agent's fetches. `read_before` of them came within 24 hours after a
   * fetch.
   */
  judged: number;
  read_before: number;
}

export interface ComparedVisits {
  agents: DisallowedTimes[];
  /** True if there are more disallowed visits than were read. */
  isSampled: boolean;
}

interface Fetch {
  agent_id: string;
  /** Start of the 15-minute bucket. */
  bucket: Date;
}

/** Reads when disallowed visits occurred, which the counts don't record. */
@Injectable()
export class ComplianceRepository {
  /**
   * Returns the agents that appear in the range's newest disallowed visits or robots.txt fetches.
   *
   * The time of a fetch is only known to the 15-minute bucket, so a fetch in the same bucket as a visit counts as
   * earlier. If there are too many fetches to read, only compares visits made at least 24 hours after the oldest fetch
   * that was read.
   */
  async disallowedTimes(snapshot: Snapshot, projectId: string, { from, to }: TimeRange): Promise<ComparedVisits> {
    const rows = await select<DisallowedTimes & { read: number }>(
      snapshot,
      // Uses literals, because PostgreSQL can't match parameters to the partial indexes.
      `WITH newest AS MATERIALIZED (
         SELECT agent_id, result, occurred_at FROM visits
         WHERE project_id = $1 AND occurred_at >= ${timestamp('$2')} AND occurred_at < ${timestamp('$3')}
           AND id >= $4::uuid AND robots = ${DISALLOWED_VERDICT}
         ORDER BY occurred_at DESC, id DESC LIMIT ${MAX_COMPARED_VISITS + 1}
       ), fetches AS MATERIALIZED (
         ${fetchesSql(`
           -- A fetch only matters to visits in the following 24 hours, so ignore fetches before that.
           SELECT CASE WHEN count(*) > ${MAX_COMPARED_VISITS} THEN date_bin('15 minutes', min(occurred_at), 'epoch')
             ELSE ${timestamp('$2')} END - interval '1 day' FROM newest`)}
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
      [projectId, from, to, getFirstIdAt(from)],
    );
    return {
      agents: rows.map(({ read: _read, ...agent }) => agent),
      isSampled: (rows[0]?.read ?? 0) > MAX_COMPARED_VISITS,
    };
  }
}

/**
 * Returns the newest robots.txt fetches that matter to visits in the range, newest first. There are at most
 * {@link MAX_ROBOTS_FETCHES}.
 */
export const readFetches = (snapshot: Snapshot, projectId: string, { from, to }: TimeRange): Promise<Fetch[]> =>
  select(snapshot, fetchesSql(`SELECT ${timestamp('$2')} - interval '1 day'`), [projectId, from, to]);

/** @param since SQL query for the time of the first fetch to read. */
const fetchesSql = (since: string): string =>
  `SELECT value::uuid AS agent_id, bucket FROM visit_top_counts
   WHERE project_id = $1 AND ${dimensionCondition(`'${COMPLIANCE_DIMENSIONS.robotsFetches}'`)} AND value <> ''
     AND bucket >= (${since}) AND bucket < ${timestamp('$3')}
   ORDER BY bucket DESC LIMIT ${MAX_ROBOTS_FETCHES}`;
