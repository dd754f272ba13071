import { Inject, Injectable } from '@nestjs/common';
import {
  firstIdAt,
  furthest,
  isBehind,
  timelineCursor,
  type EnrichedVisit,
  type TimelineCursor,
  type TimelineFilters,
  type TimelineOrder,
  type VisitPosition,
} from '#libs/contracts';
import { READING_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';
import { ClientNetworks } from './client-networks.js';
import { select, snapshotOf, type Snapshot } from './snapshot.js';
import { positionOf, visitsAfter, type StoredPosition } from './stored-position.js';
import { conditionsOf, FILTERED_COLUMNS, type FilteredColumns } from './timeline-filters.js';

interface TimelineQuery extends TimelineFilters {
  /** Default: `newest`. */
  order?: TimelineOrder;
  limit: number;
  cursor: TimelineCursor | null;
}

/** Operators that compare the next and the previous visits with a visit. */
const SIDES = {
  newest: { next: '<', previous: '>' },
  oldest: { next: '>', previous: '<' },
} as const satisfies Record<TimelineOrder, object>;

export interface NewestVisits {
  visits: number;
  /** Time of the oldest of these visits, in milliseconds since the epoch. Null if there are none. */
  since: number | null;
}

/** A page of visits. Documents are JSON text, with the client's network added. */
interface TimelinePage {
  documents: string[];
  nextCursor: string | null;
  previousCursor: string | null;
}

interface Row extends Sized {
  id: string;
  occurred_ms: string;
}

interface Sized {
  document: string;
  /** Number of rows before they were limited by size. */
  found: number;
}

interface StreamedRow extends FilteredColumns, StoredPosition, Sized {}

/** A page ends with the visit that exceeds this size. A visit can have 512 KiB. */
const MAX_PAGE_BYTES = 4 * 2 ** 20;
const MAX_STREAMED_BYTES = 2 ** 20;
/**
 * Number of visits in the first query of a page, when their size isn't known yet. One query is enough for a default
 * page of 50, plus the visit that shows whether there are more.
 */
const FIRST_STEP = 51;

/** A visit and the stream position after it. */
export interface StreamedVisit extends FilteredColumns {
  position: VisitPosition;
  document: string;
}

export interface StreamedPart {
  visits: StreamedVisit[];
  /** Position up to which all visits were read. */
  position: VisitPosition;
  hasMore: boolean;
}

@Injectable()
export class TimelineRepository {
  constructor(
    @Inject(READING_DATA_SOURCE) private readonly dataSource: DataSource,
    private readonly networks: ClientNetworks,
  ) {}

  /**
   * Returns a page of the project's visits, sorted by (occurred_at, id). The page ends early if visits are large.
   *
   * @param snapshot default: each statement reads the latest data.
   */
  async page(projectId: string, query: TimelineQuery, snapshot = this.unbound): Promise<TimelinePage> {
    const { next, previous } = SIDES[query.order ?? 'newest'];
    const isBackward = query.cursor !== null && !query.cursor.side.startsWith(next);
    const { visits, hasMore } = await this.rows(projectId, query, isBackward ? previous : next, snapshot);
    if (isBackward) visits.reverse();
    const documents = visits.map(({ document }) => this.withNetwork(document));
    const [first, last] = [visits[0] && cursorOf(visits[0]), visits.at(-1) && cursorOf(visits.at(-1)!)];
    // An empty page keeps its cursor, so paging can continue in both directions.
    const { cursor } = query;
    const after = last === undefined ? cursor && { ...cursor, side: `${next}=` as const } : { ...last, side: next };
    const before = first === undefined ? cursor && { ...cursor, side: previous } : { ...first, side: previous };
    return {
      documents,
      nextCursor: after !== null && (isBackward || hasMore) ? timelineCursor.write(after) : null,
      // Set even if nothing precedes the page, because visits can arrive at any time.
      previousCursor: before && timelineCursor.write(before),
    };
  }

  /** Counts the newest matching visits, up to `max`. */
  async newest(projectId: string, filters: TimelineFilters, max: number, snapshot: Snapshot): Promise<NewestVisits> {
    const { conditions, parameters } = where(projectId, { ...filters, limit: max, cursor: null });
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

  /** Times of the oldest stored visits, in milliseconds since the epoch. Null if there are none. */
  async stored(projectId: string, snapshot: Snapshot): Promise<{ agents: number | null; unknown: number | null }> {
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

  /**
   * Reads the rows of a page in the direction of the cursor. The size of visits determines how many each query reads.
   */
  private async rows(
    projectId: string,
    query: TimelineQuery,
    side: '<' | '>',
    snapshot: Snapshot,
  ): Promise<{ visits: Row[]; hasMore: boolean }> {
    const order = side === '>' ? 'occurred_at, id' : 'occurred_at DESC, id DESC';
    const visits: Row[] = [];
    let bytes = 0;
    for (let { cursor } = query, step = FIRST_STEP; ;) {
      // Read one more than needed to find out whether there are more.
      const asked = Math.min(step, query.limit + 1 - visits.length);
      const { conditions, parameters } = where(projectId, { ...query, cursor });
      const rows = await select<Row>(
        snapshot,
        withinBytes(
          'id, occurred_ms, document',
          `SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::bigint AS occurred_ms,
             document::text AS document
           FROM visits_full WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${asked}`,
          order,
          MAX_PAGE_BYTES - bytes,
        ),
        parameters,
      );
      const last = rows.at(-1);
      visits.push(...rows);
      bytes += rows.reduce((sum, { document }) => sum + document.length, 0);
      if (visits.length > query.limit) return { visits: visits.slice(0, query.limit), hasMore: true };
      if (last === undefined || last.found < asked) return { visits, hasMore: rows.length < (last?.found ?? 0) };
      if (rows.length < last.found || bytes >= MAX_PAGE_BYTES) return { visits, hasMore: true };
      cursor = { side, ...cursorOf(last) };
      step = Math.ceil((visits.length / bytes) * (MAX_PAGE_BYTES - bytes));
    }
  }

  /** Returns the document of a visit, or null if the project has no such visit. */
  async find(projectId: string, id: string): Promise<string | null> {
    const [row]: { document: string }[] = await this.dataSource.query(
      `SELECT document::text AS document FROM visits_full WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    return row === undefined ? null : this.withNetwork(row.document);
  }

  /**
   * Returns the visits after a position. They are in commit order within each shard, and shards alternate. Stops after
   * about 1 MiB, but returns at least one visit.
   */
  async after(projectId: string, position: VisitPosition, limit: number): Promise<StreamedPart> {
    const last = await this.lastPosition(projectId);
    const shards = [...last.keys()].filter((shard) => isBehind([position[shard] ?? 0], [last[shard]!]));
    if (shards.length === 0) return { visits: [], position, hasMore: false };
    const bounds = shards.map((shard) => visitsAfter(position[shard] ?? 0, shard));
    const limitOfShard = Math.ceil(limit / shards.length);
    const rows: StreamedRow[] = await this.dataSource.query(
      withinBytes(
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
        shards,
        shards.map((shard) => position[shard] ?? 0),
        bounds.map(({ after }) => after),
        bounds.map(({ before }) => before),
        limitOfShard,
      ],
    );
    const read = Map.groupBy(rows, ({ shard }) => shard).values();
    const hasMore = rows.length < (rows[0]?.found ?? 0) || [...read].some(({ length }) => length === limitOfShard);
    const reached = furthestOf(position, rows);
    return {
      visits: rows.map(({ shard, number, found: _found, ...visit }) => ({
        ...visit,
        position: positionOf({ shard, number }),
        document: this.withNetwork(visit.document),
      })),
      position: hasMore ? reached : furthest(reached, last),
      hasMore,
    };
  }

  async lastPosition(projectId: string): Promise<VisitPosition> {
    const rows: { shard: number; number: number }[] = await this.dataSource.query(
      `SELECT shard, position::float8 AS number FROM visit_positions WHERE project_id = $1`,
      [projectId],
    );
    return furthestOf([], rows);
  }

  /** Adds `client_network` to the JSON text of a document. */
  private withNetwork(document: string): string {
    const network = this.networks.find(addressIn(document));
    return `${document.slice(0, document.lastIndexOf('}'))},"client_network":${JSON.stringify(network)}}`;
  }

  private readonly unbound = snapshotOf((text, parameters) => this.dataSource.query(text, parameters));
}

/**
 * Matches the start of a document, as enrichment writes it, to read the client's address without parsing. If the
 * address were selected in SQL, PostgreSQL would read it for every row that it sorts.
 */
const ADDRESS =
  /^\{"id":"[\w-]{36}","project_id":"[\w-]{36}","received_at":"[\w:.-]{24}","occurred_at":"[\w:.-]{24}","client_address":(?:null|"([\da-f:.]{2,45})"),/;

function addressIn(document: string): string | null {
  const found = ADDRESS.exec(document);
  return found === null ? (JSON.parse(document) as EnrichedVisit).client_address : (found[1] ?? null);
}

const furthestOf = (position: VisitPosition, visits: readonly StoredPosition[]): VisitPosition =>
  visits.reduce((reached, visit) => furthest(reached, positionOf(visit)), position);

/** Returns SQL that keeps rows until their documents reach a total size. Always keeps at least one row. */
const withinBytes = (columns: string, rows: string, order: string, bytes: number): string =>
  `SELECT ${columns}, found FROM (
     SELECT found.*, count(*) OVER ()::int AS found,
       sum(octet_length(document)) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
     FROM (${rows}) found
   ) sized WHERE before < ${Math.max(1, Math.ceil(bytes))} ORDER BY ${order}`;

const cursorOf = (row: Row): { occurredAt: number; id: string } => ({
  occurredAt: Number(row.occurred_ms),
  id: row.id,
});

function where(projectId: string, query: TimelineQuery): { conditions: string[]; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const bind = (parameter: unknown): string => `$${parameters.push(parameter)}`;
  const conditions = [`project_id = ${bind(projectId)}`, ...conditionsOf(query, bind)];
  if (query.cursor !== null) {
    const { side, occurredAt, id } = query.cursor;
    const at = `to_timestamp(${bind(occurredAt)}::float8 / 1000)`;
    conditions.push(`(occurred_at, id) ${side} (${at}, ${bind(id)}::uuid)`);
    // Visits after the cursor's time were also received after it. Visits before it may have been received at any time.
    if (side.startsWith('>')) conditions.push(`id >= ${bind(firstIdAt(occurredAt))}::uuid`);
  }
  return { conditions, parameters };
}
