import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ADVISORY_LOCKS, changeRows, SHARD_LOCKS } from '#libs/database';
import { boundedTops, LISTS, maxTopValues, OTHER, freeSlots } from './top-counts.js';

/** A day (UTC) of a project. */
interface ProjectDay {
  projectId: string;
  /** When it begins. */
  day: Date;
}

/** A day with something to sum up. */
interface DueDay extends ProjectDay {
  /** Seconds since an hour of it could have been summed up. */
  waitedSeconds: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer ranges are mostly of whole days, and begin with the hours of one. */
const DAYS_WITH_RESTS = 92;
const FIRST_SHARD = 'shard = 0';

const HOURS_OF = (column: string): string => `project_id = $1 AND ${column} = ANY ($2::timestamptz[])`;
const DAY_OF = (column: string): string =>
  `project_id = $1 AND ${column} >= $2::timestamptz AND ${column} < $2::timestamptz + interval '1 day'`;
const OVER = `${DAY_OF('hour')} AND hour <= $3::timestamptz - interval '1 hour'`;
const QUARTERS_OF_HOURS = `project_id = $1 AND bucket = ANY (ARRAY(
  SELECT hour + quarter * interval '15 minutes' FROM unnest($2::timestamptz[]) hour, generate_series(0, 3) quarter))`;

/**
 * Sums of what ingest counted by quarters of an hour. An hour that is open, and a day that is or has an open hour, is
 * read from the quarters; whatever is not open is summed up exactly. Hours of long ago open again when visits come late.
 */
@Injectable()
export class CountSumsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Days with something to sum up: hours that are over at `now` and open for some time, days that are over. */
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
   * Sums up the hours of a day that are over at `now`, and the day itself when it is. Of a day that is not, counts by dimension
   * are summed up so far: they have no sums by hour, and by quarters they are many.
   */
  async sumUp({ projectId, day: start }: ProjectDay, now: Date): Promise<void> {
    // As text: times of long ago have odd offsets in the zone of the process, which a date would be written with.
    const day = start.toISOString();
    await this.mergeShards(projectId, await this.hoursOver(projectId, day, now));
    await this.dataSource.transaction(async (transaction) => {
      await transaction.query(`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.countSums})`);
      // A transaction that stores visits holds its marks until it commits: what is read after they are deleted is
      // complete, and what is stored later finds no mark of its shard and opens the hour again. Both go by the hour.
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

  /** Counts of long ago are stored once. */
  private async mergeShards(projectId: string, hours: string[]): Promise<void> {
    const rows: { shard: number }[] = await this.dataSource.query(
      `SELECT DISTINCT shard FROM visit_counts WHERE ${QUARTERS_OF_HOURS} AND shard > 0 ORDER BY 1`,
      [projectId, hours],
    );
    for (const { shard } of rows) await this.mergeShard(projectId, hours, shard);
  }

  /**
   * Adds the counts of a shard to those of the first, within its bound. Both shards are taken meanwhile: statements that
   * store visits take others.
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
 * A range that begins within a day reads the rest of it. From every third hour on: then few hours are left, and few rests are kept.
 * Where an hour has no sums, as earlier versions left it, the day has no rests and is read by hours.
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

/** Readers take the quarters all the same where an hour before the end of these sums is open again. */
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
    // What a quarter of an hour counts as other stays it.
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
