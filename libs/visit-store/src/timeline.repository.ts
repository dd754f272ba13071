import { Injectable } from '@nestjs/common';
import { getFirstIdAt, type TimelineCursor, type TimelineFilters, type VisitPosition } from '#libs/contracts';
import { ReadDatabase } from '#libs/database';
import { addNetwork, ClientNetworks } from './client-networks.js';
import { limitBytes } from './limit-bytes.js';
import { select, createSnapshot, type Snapshot } from './snapshot.js';
import { boundsAfter, type StoredPosition } from './stored-position.js';
import {
  furthestPosition,
  MAX_STREAMED_BYTES,
  readPart,
  type ShardRange,
  type StreamedPart,
  type StreamedRow,
} from './streamed-visits.js';
import { toSqlConditions, FILTERED_COLUMNS } from './timeline-filters.js';
import { readPage, type PageRead, type TimelinePage, type TimelineQuery, type TimelineRow } from './timeline-pages.js';

export interface NewestVisits {
  visits: number;
  /** Time of the oldest counted visit in milliseconds since the epoch, or null if there are no visits. */
  since: number | null;
}

@Injectable()
export class TimelineRepository {
  constructor(
    private readonly database: ReadDatabase,
    private readonly networks: ClientNetworks,
  ) {}

  /**
   * Returns a page of the project's visits, sorted by (occurred_at, id). If visits are large, the page contains fewer
   * than `limit`.
   *
   * @param snapshot Snapshot to read from. By default, each statement reads data that can be some seconds old.
   */
  async page(projectId: string, query: TimelineQuery, snapshot = this.recentSnapshot): Promise<TimelinePage> {
    return readPage(query, this.networks, (read) => this.readRows(projectId, query, read, snapshot));
  }

  /** Whether all matching visits can usually be counted in less than a second, even if there are millions. */
  readonly countsAllFast: boolean = false;

  /**
   * Counts matching visits, newest first.
   *
   * @param max Maximum number of visits to count, or null to count all of them.
   */
  async countNewest(
    projectId: string,
    filters: TimelineFilters,
    max: number | null,
    snapshot: Snapshot,
  ): Promise<NewestVisits> {
    const { conditions, parameters } = buildWhere(projectId, filters, null);
    const [row] = await select<NewestVisits>(
      snapshot,
      `SELECT count(*)::int AS visits, (extract(epoch FROM min(occurred_at)) * 1000)::float8 AS since
       FROM (
         SELECT occurred_at FROM visits_full WHERE ${conditions.join(' AND ')}
         ORDER BY occurred_at DESC, id DESC LIMIT ${max}
       ) newest`,
      parameters,
    );
    return row!;
  }

  /**
   * Returns the times of the oldest stored visits by agents and by unknown visitors, in milliseconds since the epoch.
   * Null if there are no such visits.
   */
  async findOldest(projectId: string, snapshot: Snapshot): Promise<{ agents: number | null; unknown: number | null }> {
    const oldest = (condition: string): string =>
      `(SELECT (extract(epoch FROM occurred_at) * 1000)::float8 FROM visits_full
        WHERE project_id = $1 AND agent_id ${condition} ORDER BY occurred_at, id LIMIT 1)`;
    const [row] = await select<{ agents: number | null; unknown: number | null }>(
      snapshot,
      `SELECT ${oldest('IS NOT NULL')} AS agents, ${oldest('IS NULL')} AS unknown`,
      [projectId],
    );
    return row!;
  }

  async find(projectId: string, id: string): Promise<string | null> {
    const [row]: { document: string }[] = await this.database.primary.query(
      `SELECT document::text AS document FROM visits_full WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    return row === undefined ? null : addNetwork(row.document, this.networks);
  }

  /**
   * Returns visits after a position. Within each shard, they are in commit order, and shards alternate. Stops after
   * about 1 MiB, but returns at least one visit.
   */
  async readAfter(projectId: string, position: VisitPosition, limit: number): Promise<StreamedPart> {
    const last = await this.lastPosition(projectId);
    return readPart({ position, last, limit, networks: this.networks }, (ranges, limitPerShard) =>
      this.readStreamed(projectId, ranges, limitPerShard),
    );
  }

  async lastPosition(projectId: string): Promise<VisitPosition> {
    const rows: StoredPosition[] = await this.database.primary.query(
      `SELECT shard, position::float8 AS number FROM visit_positions WHERE project_id = $1`,
      [projectId],
    );
    return furthestPosition([], rows);
  }

  private readRows(
    projectId: string,
    filters: TimelineFilters,
    { side, cursor, rowLimit, maxBytes }: PageRead,
    snapshot: Snapshot,
  ): Promise<TimelineRow[]> {
    const order = side === '>' ? 'occurred_at, id' : 'occurred_at DESC, id DESC';
    const { conditions, parameters } = buildWhere(projectId, filters, cursor);
    return select(
      snapshot,
      limitBytes(
        'id, occurred_ms, document',
        `SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_ms,
           document::text AS document
         FROM visits_full WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${rowLimit}`,
        order,
        maxBytes,
      ),
      parameters,
    );
  }

  private async readStreamed(
    projectId: string,
    ranges: readonly ShardRange[],
    limitPerShard: number,
  ): Promise<StreamedRow[]> {
    const bounds = ranges.map(({ after, shard }) => boundsAfter(after, shard));
    return this.database.primary.query(
      limitBytes(
        `shard, number, document, ${FILTERED_COLUMNS.map(([name]) => `"${name}"`).join(', ')}`,
        `SELECT v.*, s.shard, v.distance + s.number AS number
         FROM unnest($2::int[], $3::float8[], $4::bigint[], $5::bigint[]) AS s (shard, number, after, before), LATERAL (
           SELECT (position - s.after)::float8 AS distance, document::text AS document,
             ${FILTERED_COLUMNS.map(([name, column]) => `${column} AS "${name}"`).join(', ')}
           FROM visits_full WHERE project_id = $1 AND position > s.after AND position < s.before ORDER BY position LIMIT $6
         ) v`,
        'distance, shard',
        MAX_STREAMED_BYTES,
      ),
      [
        projectId,
        ranges.map(({ shard }) => shard),
        ranges.map(({ after }) => after),
        bounds.map(({ after }) => after),
        bounds.map(({ before }) => before),
        limitPerShard,
      ],
    );
  }

  private readonly recentSnapshot = createSnapshot((text, parameters) =>
    this.database.read((dataSource) => dataSource.query(text, parameters)),
  );
}

function buildWhere(
  projectId: string,
  filters: TimelineFilters,
  cursor: TimelineCursor | null,
): { conditions: string[]; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const bind = (parameter: unknown): string => `$${parameters.push(parameter)}`;
  const conditions = [`project_id = ${bind(projectId)}`, ...toSqlConditions(filters, bind)];
  if (cursor !== null) {
    const { side, occurredAt, id } = cursor;
    const at = `to_timestamp(${bind(occurredAt)}::float8 / 1000)`;
    conditions.push(`(occurred_at, id) ${side} (${at}, ${bind(id)}::uuid)`);
    // Visits after the cursor's time were also received after it, so older partitions can be skipped. Visits before it
    // can have been received at any time.
    if (side.startsWith('>')) conditions.push(`id >= ${bind(getFirstIdAt(occurredAt))}::uuid`);
  }
  return { conditions, parameters };
}
