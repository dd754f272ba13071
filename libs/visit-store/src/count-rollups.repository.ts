import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ADVISORY_LOCKS, executeReturning, SHARD_LOCK_KEY } from '#libs/database';
import { limitTops, LIST_DIMENSIONS, maxTopValues, OTHER_VALUE, freeSlots } from './top-counts.js';

/** One UTC day in one project. */
interface ProjectDay {
  projectId: string;
  day: Date;
}

interface DueDay extends ProjectDay {
  /** Seconds since the day's longest-waiting hour became due. */
  waitedSeconds: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIRST_SHARD = 'shard = 0';

const isInHours = (column: string): string => `project_id = $1 AND ${column} = ANY ($2::timestamptz[])`;
const isInDay = (column: string): string =>
  `project_id = $1 AND ${column} >= $2::timestamptz AND ${column} < $2::timestamptz + interval '1 day'`;
const ENDED_HOURS = `${isInDay('hour')} AND hour <= $3::timestamptz - interval '1 hour'`;
const QUARTERS_IN_HOURS = `project_id = $1 AND bucket = ANY (ARRAY(
  SELECT hour + quarter * interval '15 minutes' FROM unnest($2::timestamptz[]) hour, generate_series(0, 3) quarter))`;

/**
 * Rolls up 15-minute counts by hour and by day. For open hours, readers must use the 15-minute counts. For days that
 * are open or contain an open hour, they must use the hours. All other rollups are exact. Late visits reopen old hours.
 */
@Injectable()
export class CountRollupsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the days that are due. A day is due if it ended by `now`, or if it has hours that ended by `now` and have
   * been open for at least `openForSeconds`.
   */
  async due(now: Date, openForSeconds: number): Promise<DueDay[]> {
    const rows: { project_id: string; day: Date; waited: number }[] = await this.dataSource.query(
      `SELECT project_id, date_bin('1 day', hour, 'epoch') AS day, extract(epoch FROM max(
         $1::timestamptz - greatest(hour + interval '1 hour', since + make_interval(secs => $2))
       ))::float8 AS waited
       FROM visit_open_hours
       WHERE hour <= $1::timestamptz - interval '1 hour' AND since <= now() - make_interval(secs => $2) GROUP BY 1, 2
       UNION ALL
       SELECT project_id, day, 0 FROM visit_open_days d WHERE day <= $1::timestamptz - interval '1 day' AND NOT EXISTS (
         SELECT FROM visit_open_hours h
         WHERE h.project_id = d.project_id AND h.hour >= d.day AND h.hour < d.day + interval '1 day'
       )
       ORDER BY 1, 2`,
      [now, openForSeconds],
    );
    return rows.map((row) => ({ projectId: row.project_id, day: row.day, waitedSeconds: row.waited }));
  }

  /**
   * Rolls up a day's hours that ended by `now`. If the day itself has ended, rolls it up too. Otherwise, creates a
   * partial rollup of its counts by dimension, because reading those from 15-minute buckets is slow.
   */
  async rollUp({ projectId, day: start }: ProjectDay, now: Date): Promise<void> {
    // Pass text, because the driver formats dates in the local time zone, which has odd offsets for historical dates.
    const day = start.toISOString();
    await this.mergeShards(projectId, await this.listEndedHours(projectId, day, now));
    await this.dataSource.transaction(async (transaction) => {
      await transaction.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.countSums})`);
      // Statements that store visits keep their open-hour markers locked until they commit. After the markers are
      // deleted, the counts are therefore complete. Later statements find no marker for their shard and reopen the
      // hour. To avoid deadlocks, both sides lock markers in hour order.
      const closed = await executeReturning<{ hour: Date }>(
        transaction,
        `WITH marks AS MATERIALIZED (
           SELECT hour, shard FROM visit_open_hours WHERE ${ENDED_HOURS} ORDER BY hour, shard FOR UPDATE
         )
         DELETE FROM visit_open_hours o USING marks m
         WHERE o.project_id = $1 AND o.hour = m.hour AND o.shard = m.shard RETURNING o.hour`,
        [projectId, day, now],
      );
      if (closed.length > 0) {
        const hours = new Set(closed.map(({ hour }) => hour.toISOString()));
        await rollUpHours(transaction, [projectId, [...hours]]);
        await transaction.query(`INSERT INTO visit_open_days VALUES ($1, $2) ON CONFLICT DO NOTHING`, [projectId, day]);
      }
      const closedDays = await executeReturning<unknown>(
        transaction,
        `DELETE FROM visit_open_days WHERE project_id = $1 AND day = $2 AND day <= $3::timestamptz - interval '1 day'
           AND NOT EXISTS (SELECT FROM visit_open_hours WHERE ${isInDay('hour')}) RETURNING day`,
        [projectId, day, now],
      );
      if (closedDays.length > 0) await rollUpDay(transaction, [projectId, day]);
      else if (closed.length > 0) await rollUpPartialDay(transaction, [projectId, day], now);
    });
  }

  private async listEndedHours(projectId: string, day: string, now: Date): Promise<string[]> {
    const rows: { hour: Date }[] = await this.dataSource.query(
      `SELECT DISTINCT hour FROM visit_open_hours WHERE ${ENDED_HOURS}`,
      [projectId, day, now],
    );
    return rows.map(({ hour }) => hour.toISOString());
  }

  private async mergeShards(projectId: string, hours: string[]): Promise<void> {
    const rows: { shard: number }[] = await this.dataSource.query(
      `SELECT DISTINCT shard FROM visit_counts WHERE ${QUARTERS_IN_HOURS} AND shard > 0 ORDER BY 1`,
      [projectId, hours],
    );
    for (const { shard } of rows) await this.mergeShard(projectId, hours, shard);
  }

  /**
   * Merges a shard's counts into the first shard, up to its maximum number of values. Locks both shards, so statements
   * that store visits use other shards in the meantime.
   */
  private async mergeShard(projectId: string, hours: string[], shard: number): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      for (const lockedShard of [0, shard]) {
        await transaction.query(`SELECT pg_advisory_xact_lock(${SHARD_LOCK_KEY}, $1)`, [lockedShard]);
      }
      await transaction.query(
        `WITH moved AS (DELETE FROM visit_counts WHERE ${QUARTERS_IN_HOURS} AND shard = $3 RETURNING *)
         INSERT INTO visit_counts AS c (project_id, bucket, agent_id, agent_type, result, visits, last_at)
         SELECT project_id, bucket, agent_id, agent_type, result, visits, last_at FROM moved
         ON CONFLICT (project_id, bucket, agent_id, agent_type, result, shard)
         DO UPDATE SET visits = c.visits + excluded.visits, last_at = greatest(c.last_at, excluded.last_at)`,
        [projectId, hours, shard],
      );
      await transaction.query(
        `WITH tops AS (DELETE FROM visit_top_counts WHERE ${QUARTERS_IN_HOURS} AND shard = $3 RETURNING *),
         ${limitTops(freeSlots(FIRST_SHARD), FIRST_SHARD)}
         INSERT INTO visit_top_counts AS c (project_id, bucket, dimension, value, visits)
         SELECT project_id, bucket, dimension, value, visits FROM bounded
         ON CONFLICT (project_id, bucket, dimension, value, shard) DO UPDATE SET visits = c.visits + excluded.visits`,
        [projectId, hours, shard],
      );
    });
  }
}

async function rollUpHours(transaction: EntityManager, parameters: [string, string[]]): Promise<void> {
  for (const table of ['visit_hour_counts', 'visit_hour_top_counts']) {
    await transaction.query(`DELETE FROM ${table} WHERE ${isInHours('bucket')}`, parameters);
  }
  await transaction.query(
    `INSERT INTO visit_hour_counts (project_id, bucket, agent_id, agent_type, result, visits, last_at)
     SELECT c.project_id, h.hour, agent_id, agent_type, result, sum(visits), max(last_at)
     FROM unnest($2::timestamptz[]) h (hour)
     JOIN visit_counts c ON c.project_id = $1 AND c.bucket >= h.hour AND c.bucket < h.hour + interval '1 hour'
     GROUP BY 1, 2, 3, 4, 5 ORDER BY 2, 3, 4, 5`,
    parameters,
  );
  await transaction.query(
    `INSERT INTO visit_hour_top_counts (project_id, bucket, dimension, top_values, top_visits)
     SELECT $1, hour, dimension, array_agg(value ORDER BY value), array_agg(visits ORDER BY value)
     FROM (
       SELECT hour, dimension, value, sum(visits) AS visits
       FROM unnest($2::timestamptz[]) hour
       JOIN visit_top_counts ON project_id = $1 AND bucket >= hour AND bucket < hour + interval '1 hour'
       WHERE dimension IN ${LIST_DIMENSIONS} GROUP BY 1, 2, 3
     ) summed GROUP BY 2, 3`,
    parameters,
  );
}

async function rollUpDay(transaction: EntityManager, parameters: [string, string]): Promise<void> {
  await transaction.query(`DELETE FROM visit_day_counts WHERE project_id = $1 AND bucket = $2`, parameters);
  await transaction.query(
    `INSERT INTO visit_day_counts (project_id, bucket, agent_id, agent_type, result, visits, last_at)
     SELECT project_id, $2::timestamptz, agent_id, agent_type, result, sum(visits), max(last_at)
     FROM visit_hour_counts WHERE ${isInDay('bucket')} GROUP BY 1, 2, 3, 4, 5 ORDER BY 3, 4, 5`,
    parameters,
  );
  await rollUpDimensions(transaction, parameters, Date.parse(parameters[1]) + DAY_MS);
}

/** Creates a partial rollup. Readers ignore it if an hour before its end has been reopened. */
async function rollUpPartialDay(transaction: EntityManager, parameters: [string, string], now: Date): Promise<void> {
  const until = Math.min(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS, Date.parse(parameters[1]) + DAY_MS);
  await transaction.query(`UPDATE visit_open_days SET summed_until = $3 WHERE project_id = $1 AND day = $2`, [
    ...parameters,
    new Date(until).toISOString(),
  ]);
  await rollUpDimensions(transaction, parameters, until);
}

async function rollUpDimensions(
  transaction: EntityManager,
  parameters: [string, string],
  until: number,
): Promise<void> {
  await transaction.query(`DELETE FROM visit_day_top_counts WHERE project_id = $1 AND bucket = $2`, parameters);
  await transaction.query(
    // Visits that a 15-minute bucket counts as OTHER_VALUE can't be assigned to their actual value anymore, so they
    // remain OTHER_VALUE.
    `INSERT INTO visit_day_top_counts (project_id, bucket, dimension, value, visits)
     SELECT project_id, $2::timestamptz, dimension, CASE WHEN rank <= ${maxTopValues('dimension')} THEN value ELSE '${OTHER_VALUE}' END, sum(visits)
     FROM (
       SELECT project_id, dimension, value, sum(visits) AS visits, row_number() OVER (
         PARTITION BY dimension ORDER BY value = '${OTHER_VALUE}', sum(visits) DESC, value
       ) AS rank
       FROM visit_top_counts WHERE project_id = $1 AND bucket >= $2::timestamptz AND bucket < $3::timestamptz
       GROUP BY 1, 2, 3
     ) ranked GROUP BY 1, 3, 4 ORDER BY 3, 4`,
    [...parameters, new Date(until).toISOString()],
  );
}
