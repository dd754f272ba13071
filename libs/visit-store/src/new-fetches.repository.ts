import { Injectable } from '@nestjs/common';
import { type VisitPosition, mergePositions } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { PAGE_NAME } from './page.js';
import { boundsAfter, type StoredPosition, toStreamPosition } from './stored-position.js';
import { furthestPosition, rangesAfter, type ShardRange } from './streamed-visits.js';
import { NO_AGENT } from './visit-counts.js';

/** An agent's fetches of one page on one UTC day. Excludes visits that failed verification. */
export interface PageFetches {
  agent_id: string;
  /** Page as returned by `getPage`, up to 500 characters. */
  page: string;
  /** Milliseconds since the epoch. */
  first_at: number;
  /** Milliseconds since the epoch. */
  last_at: number;
  fetches: number;
  /** Fetches with status 2xx or 304. */
  successes: number;
  /** Fetches with status 3xx, except 304. */
  redirects: number;
  client_errors: number;
  server_errors: number;
  /** Fetches whose path had a query. */
  with_query: number;
}

export interface NewFetches {
  fetches: PageFetches[];
  /** Position up to which all visits have been read. */
  position: VisitPosition;
}

/** Numbers of the visits that were read in a shard. */
export interface ReadShard {
  shard: number;
  last: number;
  visits: number;
}

/** Columns of {@link PageFetches} for a group of visits. `count(condition)` is the number of visits that match. */
export const statusColumns = (count: (condition: string) => string): string => `
  ${count('status >= 200 AND status < 300 OR status = 304')} AS successes,
  ${count('status >= 300 AND status < 400 AND status <> 304')} AS redirects,
  ${count('status >= 400 AND status < 500')} AS client_errors,
  ${count('status >= 500 AND status < 600')} AS server_errors`;

/** Reads new visits by agents, grouped by page, agent and UTC day. */
@Injectable()
export class NewFetchesRepository {
  constructor(protected readonly dataSource: DataSource) {}

  /**
   * Reads visits after a position. The visits of re-identified visitors keep their position, so they are never new.
   *
   * @param limit Approximate maximum number of visits to read.
   * @returns Null if there are no new visits.
   */
  async read(projectId: string, position: VisitPosition, limit: number): Promise<NewFetches | null> {
    const ranges = rangesAfter(position, await this.lastPosition(projectId));
    if (ranges.length === 0) return null;
    const limitPerShard = Math.ceil(limit / ranges.length);
    const { shards, fetches } = await this.readRanges(projectId, ranges, limitPerShard);
    const reached = ranges.map(({ shard, last }): StoredPosition => {
      const read = shards.find((one) => one.shard === shard);
      return { shard, number: read?.visits === limitPerShard ? read.last : last };
    });
    return { fetches, position: reached.map(toStreamPosition).reduce(mergePositions, position) };
  }

  /** Returns the agents with the most visits, up to `limit`. */
  async findTopAgents(projectId: string, limit: number): Promise<string[]> {
    const rows: { agent_id: string }[] = await this.dataSource.query(
      `SELECT agent_id FROM visit_counts
       WHERE project_id = $1 AND agent_id <> '${NO_AGENT}' AND result <> 'verification_failed'
       GROUP BY agent_id ORDER BY sum(visits) DESC, agent_id LIMIT $2`,
      [projectId, limit],
    );
    return rows.map((row) => row.agent_id);
  }

  protected async lastPosition(projectId: string): Promise<VisitPosition> {
    const rows: StoredPosition[] = await this.dataSource.query(
      `SELECT shard, position::float8 AS number FROM visit_positions WHERE project_id = $1`,
      [projectId],
    );
    return furthestPosition([], rows);
  }

  protected async readRanges(
    projectId: string,
    ranges: readonly ShardRange[],
    limitPerShard: number,
  ): Promise<{ shards: ReadShard[]; fetches: PageFetches[] }> {
    const rows: (ReadShard & PageFetches)[] = await this.dataSource.query(
      `WITH visits_read AS MATERIALIZED (
         SELECT s.shard, position - s.start AS number, agent_id, result, path, status, occurred_at
         FROM unnest($2::int[], $3::bigint[], $4::bigint[], $5::bigint[]) AS s (shard, start, after, last), LATERAL (
           SELECT position, agent_id, result, path, status, occurred_at FROM visits
           WHERE project_id = $1 AND position > s.after AND position <= s.last ORDER BY position LIMIT $6
         ) v
       )
       SELECT shard, max(number)::float8 AS last, count(*)::integer AS visits, NULL AS agent_id, NULL AS page,
         NULL AS first_at, NULL AS last_at, NULL AS fetches, NULL AS successes, NULL AS redirects,
         NULL AS client_errors, NULL AS server_errors, NULL AS with_query
       FROM visits_read GROUP BY shard
       UNION ALL
       SELECT NULL, NULL, NULL, agent_id, left(${PAGE_NAME}, 500),
         (extract(epoch FROM min(occurred_at)) * 1000)::float8, (extract(epoch FROM max(occurred_at)) * 1000)::float8,
         count(*)::integer, ${statusColumns((condition) => `(count(*) FILTER (WHERE ${condition}))::integer`)},
         (count(*) FILTER (WHERE strpos(path, '?') > 0))::integer
       FROM visits_read WHERE agent_id IS NOT NULL AND result <> 'verification_failed'
       GROUP BY 4, 5, date_bin('1 day', occurred_at, 'epoch')`,
      [
        projectId,
        ranges.map(({ shard }) => shard),
        ranges.map(({ shard }) => boundsAfter(0, shard).after),
        ranges.map(({ shard, after }) => boundsAfter(after, shard).after),
        ranges.map(({ shard, last }) => boundsAfter(last, shard).after),
        limitPerShard,
      ],
    );
    const { shards = [], fetches = [] } = Object.groupBy(rows, (row) => (row.agent_id === null ? 'shards' : 'fetches'));
    return { shards, fetches };
  }
}
