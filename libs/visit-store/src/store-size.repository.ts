import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { COUNT_TABLES } from './rollups.js';

export interface StoredDay {
  day: string;
  /** Bytes used by visits from agents. */
  bytes: number;
  /** Bytes used by visits from unknown visitors. */
  unknown_bytes: number;
  visits: number;
}

@Injectable()
export class StoreSizeRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the size of each day that has partitions, newest first. Includes future days. The number of visits is an
   * estimate.
   */
  days(): Promise<StoredDay[]> {
    return this.dataSource.query(
      // `unknown_visits` contains the ID of every visit, so the maximum is the total number of visits.
      `SELECT to_char(to_date(substring(c.relname FROM '.{8}$'), 'YYYYMMDD'), 'YYYY-MM-DD') AS day,
         coalesce(sum(size) FILTER (WHERE NOT is_unknown), 0)::float8 AS bytes,
         coalesce(sum(size) FILTER (WHERE is_unknown), 0)::float8 AS unknown_bytes, max(tuples)::float8 AS visits
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, LATERAL (
         SELECT i.inhparent = 'unknown_visits'::regclass AS is_unknown, pg_total_relation_size(c.oid) AS size,
           CASE WHEN c.reltuples >= 0 AND c.relpages > 0 THEN c.reltuples::bigint
             ELSE coalesce(pg_stat_get_live_tuples(c.oid), 0) END AS tuples
       ) p
       WHERE i.inhparent IN ('visits'::regclass, 'unknown_visits'::regclass) AND c.relname ~ '^(unknown_)?visits_[0-9]{8}$'
       GROUP BY 1 ORDER BY 1 DESC`,
    );
  }

  async countsBytes(): Promise<number> {
    const [row]: { bytes: string }[] = await this.dataSource.query(
      `SELECT sum(pg_total_relation_size(name::regclass)) AS bytes FROM unnest($1::text[]) name`,
      [COUNT_TABLES],
    );
    return Number(row!.bytes);
  }
}
