import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ADVISORY_LOCKS, changeRows, SHARD_LOCKS } from '#libs/database';
import { boundedTops, LISTS, maxTopValues, OTHER, freeSlots } from './top-counts.js';

/** A UTC day of a project. */
interface ProjectDay {
  projectId: string;
  day: Date;
}

interface DueDay extends ProjectDay {
  /** Longest time that an hour of the day has been due, in seconds. */
  waitedSeconds: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Number of days that keep rest-of-day sums. Longer ranges consist mostly of full days, so they don't need them. */
const DAYS_WITH_RESTS = 92;
const FIRST_SHARD = 'shard = 0';

const HOURS_OF = (column: string): string => `project_id = $1 AND ${column} = ANY ($2::timestamptz[])`;
const DAY_OF = (column: string): string =>
  `project_id = $1 AND ${column} >= $2::timestamptz AND ${column} < $2::timestamptz + interval '1 day'`;
const OVER = `${DAY_OF('hour')} AND hour <= $3::timestamptz - interval '1 hour'`;
const QUARTERS_OF_HOURS = `project_id = $1 AND bucket = ANY (ARRAY(
  SELECT hour + quarter * interval '15 minutes' FROM unnest($2::timestamptz[]) hour, generate_series(0, 3) quarter))`;

/**
 * Rolls up 15-minute counts by hour and by day. Readers use the 15-minute counts of open hours, and the hours of days
 * that are open or contain an open hour. All other roll-ups are exact. Late visits open old hours again.
 */
@Injectable()
export class CountSumsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the days to roll up. Their hours ended by `now` and have been open for `openForSeconds`, or the entire day
   * has ended.
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
   * Rolls up the hours of a day that ended by `now`, and the day itself if it has ended. If it hasn't, counts by
   * dimension get a partial roll-up, because reading them by 15-minute buckets is slow.
   */
  async sumUp({ projectId, day: start }: ProjectDay, now: Date): Promise<void> {
    // Pass text. The driver formats dates in the local time zone, which has odd offsets for historical dates.
    const day = start.toISOString();
    await this.mergeShards(projectId, await this.hoursOver(projectId, day, now));
    await this.dataSource.transaction(async (transaction) => {
      await transaction.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.countSums})`);
      // Statements that store visits lock their marks until they commit. Once the marks are deleted, the counts are
      // complete. Later statements find no mark of their shard and open the hour again. Both lock marks in the order of
      // hours.
      const closed = await changeRows<{ hour: Date }>(
        transaction,
        `WITH marks AS MATERIALIZED (
           SELECT hour, shard FROM visit_open_hours WHERE ${OVER} ORDER BY hour, shard FOR UPDATE
         )
         DELETE FROM visit_open_hours o USING marks m
         WHERE o.project_id = $1 AND o.hour = m.hour AND o.shard = m.shard RETURNING o.hour`,
        [projectId, day, now],
      );
      if (closed.length > 0) {
        const hours = new Set(closed.map(({ hour }) => hour.toISOString()));
        await sumUpHours(transaction, [projectId, [...hours]]);
        await transaction.query(`INSERT INTO visit_open_days VALUES ($1, $2) ON CONFLICT DO NOTHING`, [projectId, day]);
      }
      const closedDays = await changeRows<unknown>(
        transaction,
        `DELETE FROM visit_open_days WHERE project_id = $1 AND day = $2 AND day <= $3::timestamptz - interval '1 day'
           AND NOT EXISTS (SELECT FROM visit_open_hours WHERE ${DAY_OF('hour')}) RETURNING day`,
        [projectId, day, now],
      );
      if (closedDays.length > 0) await sumUpDay(transaction, [projectId, day], now);
      else if (closed.length > 0) await sumUpSoFar(transaction, [projectId, day], now);
    });
  }

  private async hoursOver(projectId: string, day: string, now: Date): Promise<string[]> {
    const rows: { hour: Date }[] = await this.dataSource.query(
      `SELECT DISTINCT hour FROM visit_open_hours WHERE ${OVER}`,
      [projectId, day, now],
    );
    return rows.map(({ hour }) => hour.toISOString());
  }

  private async mergeShards(projectId: string, hours: string[]): Promise<void> {
    const rows: { shard: number }[] = await this.dataSource.query(
      `SELECT DISTINCT shard FROM visit_counts WHERE ${QUARTERS_OF_HOURS} AND shard > 0 ORDER BY 1`,
      [projectId, hours],
    );
    for (const { shard } of rows) await this.mergeShard(projectId, hours, shard);
  }

  /**
   * Adds a shard's counts to the first shard, within its limit of values. Locks both shards, so statements that store
   * visits use others in the meantime.
   */
  private async mergeShard(projectId: string, hours: string[], shard: number): Promise<void> {
    await this.dataSource.transaction(async (transaction) => {
      for (const each of [0, shard]) {
        await transaction.query(`SELECT pg_advisory_xact_lock(${SHARD_LOCKS}, $1)`, [each]);
      }
      await transaction.query(
        `WITH moved AS (DELETE FROM visit_counts WHERE ${QUARTERS_OF_HOURS} AND shard = $3 RETURNING *)
         INSERT INTO visit_counts AS c (project_id, bucket, agent_id, agent_type, result, visits, last_at)
         SELECT project_id, bucket, agent_id, agent_type, result, visits, last_at FROM moved
         ON CONFLICT (project_id, bucket, agent_id, agent_type, result, shard)
         DO UPDATE SET visits = c.visits + excluded.visits, last_at = greatest(c.last_at, excluded.last_at)`,
        [projectId, hours, shard],
      );
      await transaction.query(
        `WITH tops AS (DELETE FROM visit_top_counts WHERE ${QUARTERS_OF_HOURS} AND shard = $3 RETURNING *),
         ${boundedTops(freeSlots(FIRST_SHARD), FIRST_SHARD)}
         INSERT INTO visit_top_counts AS c (project_id, bucket, dimension, value, visits)
         SELECT project_id, bucket, dimension, value, visits FROM bounded
         ON CONFLICT (project_id, bucket, dimension, value, shard) DO UPDATE SET visits = c.visits + excluded.visits`,
        [projectId, hours, shard],
      );
    });
  }
}

async function sumUpHours(transaction: EntityManager, parameters: [string, string[]]): Promise<void> {
  for (const table of ['visit_hour_counts', 'visit_hour_type_counts', 'visit_hour_top_counts']) {
    await transaction.query(`DELETE FROM ${table} WHERE ${HOURS_OF('bucket')}`, parameters);
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
    `INSERT INTO visit_hour_type_counts (project_id, bucket, agent_type, result, visits)
     SELECT project_id, bucket, agent_type, result, sum(visits)
     FROM visit_hour_counts WHERE ${HOURS_OF('bucket')} GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 4`,
    parameters,
  );
  await transaction.query(
    `INSERT INTO visit_hour_top_counts (project_id, bucket, dimension, top_values, top_visits)
     SELECT $1, hour, dimension, array_agg(value ORDER BY value), array_agg(visits ORDER BY value)
     FROM (
       SELECT hour, dimension, value, sum(visits) AS visits
       FROM unnest($2::timestamptz[]) hour
       JOIN visit_top_counts ON project_id = $1 AND bucket >= hour AND bucket < hour + interval '1 hour'
       WHERE dimension IN ${LISTS} GROUP BY 1, 2, 3
     ) summed GROUP BY 2, 3`,
    parameters,
  );
}

async function sumUpDay(transaction: EntityManager, parameters: [string, string], now: Date): Promise<void> {
  await transaction.query(`DELETE FROM visit_day_counts WHERE project_id = $1 AND bucket = $2`, parameters);
  await transaction.query(
    `INSERT INTO visit_day_counts (project_id, bucket, agent_id, agent_type, result, visits, last_at)
     SELECT project_id, $2::timestamptz, agent_id, agent_type, result, sum(visits), max(last_at)
     FROM visit_hour_counts WHERE ${DAY_OF('bucket')} GROUP BY 1, 2, 3, 4, 5 ORDER BY 3, 4, 5`,
    parameters,
  );
  await sumUpTops(transaction, parameters, Date.parse(parameters[1]) + DAY_MS);
  await sumUpRests(transaction, parameters, now);
}

/**
 * Sums the rest of the day from every third hour on. A range that starts within the day reads one of these sums and few
 * hours. If any hour has no roll-up, no sums are stored, and the day is read by hours.
 */
async function sumUpRests(transaction: EntityManager, parameters: [string, string], now: Date): Promise<void> {
  const kept = new Date(now.getTime() - DAYS_WITH_RESTS * DAY_MS).toISOString();
  await transaction.query(
    `DELETE FROM visit_rest_top_counts WHERE ${DAY_OF('bucket')} OR project_id = $1 AND bucket < $3::timestamptz`,
    [...parameters, kept],
  );
  if (parameters[1] < kept) return;
  await transaction.query(
    `INSERT INTO visit_rest_top_counts (project_id, bucket, dimension, top_values, top_visits)
     SELECT $1, start, dimension, array_agg(value ORDER BY value), array_agg(visits ORDER BY value)
     FROM (
       SELECT start, dimension, value, sum(visits) AS visits
       FROM (
         SELECT bucket, dimension, unnest(top_values) AS value, unnest(top_visits) AS visits
         FROM visit_hour_top_counts WHERE ${DAY_OF('bucket')}
       ) hours
       JOIN generate_series(3, 21, 3) hour ON true
       CROSS JOIN LATERAL (SELECT $2::timestamptz + make_interval(hours => hour)) s (start)
       WHERE bucket >= start AND NOT EXISTS (
         SELECT bucket FROM visit_hour_counts WHERE ${DAY_OF('bucket')}
         EXCEPT SELECT bucket FROM visit_hour_top_counts WHERE ${DAY_OF('bucket')}
       ) GROUP BY 1, 2, 3
     ) summed GROUP BY 2, 3`,
    parameters,
  );
}

/** Creates a partial roll-up. Readers ignore it if an hour before its end is open again. */
async function sumUpSoFar(transaction: EntityManager, parameters: [string, string], now: Date): Promise<void> {
  const until = Math.min(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS, Date.parse(parameters[1]) + DAY_MS);
  await transaction.query(`UPDATE visit_open_days SET summed_until = $3 WHERE project_id = $1 AND day = $2`, [
    ...parameters,
    new Date(until).toISOString(),
  ]);
  await sumUpTops(transaction, parameters, until);
}

async function sumUpTops(transaction: EntityManager, parameters: [string, string], until: number): Promise<void> {
  await transaction.query(`DELETE FROM visit_day_top_counts WHERE project_id = $1 AND bucket = $2`, parameters);
  await transaction.query(
    // Visits that a 15-minute bucket counts as OTHER stay OTHER.
    `INSERT INTO visit_day_top_counts (project_id, bucket, dimension, value, visits)
     SELECT project_id, $2::timestamptz, dimension, CASE WHEN rank <= ${maxTopValues('dimension')} THEN value ELSE '${OTHER}' END, sum(visits)
     FROM (
       SELECT project_id, dimension, value, sum(visits) AS visits, row_number() OVER (
         PARTITION BY dimension ORDER BY value = '${OTHER}', sum(visits) DESC, value
       ) AS rank
       FROM visit_top_counts WHERE project_id = $1 AND bucket >= $2::timestamptz AND bucket < $3::timestamptz
       GROUP BY 1, 2, 3
     ) ranked GROUP BY 1, 3, 4 ORDER BY 3, 4`,
    [...parameters, new Date(until).toISOString()],
  );
}
