import { Inject, Injectable } from '@nestjs/common';
import { firstIdAt, timelineCursor, type TimelineCursor, type TimelineFilters } from '#libs/contracts';
import { READING_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';
import type { Query } from '../reading/snapshot-reader.repository.js';
import { conditionsOf, type FilteredColumns } from './timeline-filters.js';

export interface TimelineQuery extends TimelineFilters {
  limit: number;
  cursor: TimelineCursor | null;
}

/** A page; the documents are JSON text, as they are stored. */
export interface TimelinePage {
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
  /** Rows that the query found, however many of them its answer has. */
  found: number;
}

/** Bytes of documents that a page has, at most; its last visit may exceed it. A visit may have half a megabyte. */
const MAX_PAGE_BYTES = 4 * 2 ** 20;
/** Bytes of documents that are read for a stream at a time. */
const MAX_STREAMED_BYTES = 2 ** 20;
/** Visits that are asked for before it is known how large they are. */
const FIRST_STEP = 50;

/** A visit in the order of commits. */
export interface StreamedVisit extends FilteredColumns {
  position: bigint;
  document: string;
}

interface StreamedRow extends Omit<StreamedVisit, 'position'>, Sized {
  position: string;
}

export interface StreamedPart {
  visits: StreamedVisit[];
  /** Whether there may be more behind them. */
  hasMore: boolean;
}

@Injectable()
export class TimelineRepository {
  constructor(@Inject(READING_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /**
   * A page of the project's visits, newest first by (occurred_at, id). It ends early where its visits are large.
   *
   * @param run instead of a connection of its own.
   */
  async page(projectId: string, query: TimelineQuery, run: Query = this.run): Promise<TimelinePage> {
    const { cursor } = query;
    const isNewer = cursor?.side === '>';
    const { visits, hasMore } = await this.rows(projectId, query, run);
    if (isNewer) visits.reverse();
    const documents = visits.map((row) => row.document);
    const first = visits[0];
    const last = visits.at(-1);
    if (first === undefined || last === undefined) return { documents, ...emptyPage(cursor) };
    return {
      documents,
      nextCursor: isNewer || hasMore ? timelineCursor.write({ side: '<', ...placeOf(last) }) : null,
      // Newer visits may arrive at any time.
      previousCursor: timelineCursor.write({ side: '>', ...placeOf(first) }),
    };
  }

  /** The rows of a page, in the direction of the cursor, read in steps as large as their visits allow. */
  private async rows(
    projectId: string,
    query: TimelineQuery,
    run: Query,
  ): Promise<{ visits: Row[]; hasMore: boolean }> {
    const side = query.cursor?.side === '>' ? '>' : '<';
    const order = side === '>' ? 'occurred_at, id' : 'occurred_at DESC, id DESC';
    const visits: Row[] = [];
    let bytes = 0;
    for (let { cursor } = query, step = FIRST_STEP; ;) {
      // One more than asked for tells whether there are more.
      const asked = Math.min(step, query.limit + 1 - visits.length);
      const { conditions, parameters } = where(projectId, { ...query, cursor });
      const rows = await run<Row>(
        withinBytes(
          'id, occurred_ms, document',
          `SELECT id, occurred_at, (extract(epoch FROM occurred_at) * 1000)::bigint AS occurred_ms,
             document::text AS document
           FROM visits WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${asked}`,
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
      cursor = { side, ...placeOf(last) };
      step = Math.ceil((visits.length / bytes) * (MAX_PAGE_BYTES - bytes));
    }
  }

  /** The document of one visit; null when the project has no such visit. */
  async find(projectId: string, id: string): Promise<string | null> {
    const rows: { document: string }[] = await this.dataSource.query(
      `SELECT document::text AS document FROM visits WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    return rows[0]?.document ?? null;
  }

  /** Visits after a position, in the order of commits, as many as fit into a megabyte and at least one. */
  async after(projectId: string, position: bigint, limit: number): Promise<StreamedPart> {
    const rows: StreamedRow[] = await this.dataSource.query(
      withinBytes(
        'position, document, "occurredAt", "agentId", "agentType", operator, result, path, "clientAddress", status, "mcpTool", kinds',
        `SELECT position, document::text AS document, (extract(epoch FROM occurred_at) * 1000)::float8 AS "occurredAt",
           agent_id AS "agentId", agent_type AS "agentType", operator, result, path,
           document ->> 'client_address' AS "clientAddress", status, mcp_tool AS "mcpTool", kinds
         FROM visits WHERE project_id = $1 AND position > $2 ORDER BY position LIMIT $3`,
        'position',
        MAX_STREAMED_BYTES,
      ),
      [projectId, String(position), limit],
    );
    const hasMore = (rows[0]?.found ?? 0) === limit || rows.length < (rows[0]?.found ?? 0);
    return { visits: rows.map((row) => ({ ...row, position: BigInt(row.position) })), hasMore };
  }

  /** Position of the project's last visit; 0 before the first. */
  async lastPosition(projectId: string): Promise<bigint> {
    const rows: { position: string }[] = await this.dataSource.query(
      `SELECT position FROM visit_positions WHERE project_id = $1`,
      [projectId],
    );
    return BigInt(rows[0]?.position ?? 0);
  }

  private readonly run: Query = (text, parameters) => this.dataSource.query(text, parameters);
}

/** The first of the rows, in their order, whose documents have so many bytes together, and always one. */
const withinBytes = (columns: string, rows: string, order: string, bytes: number): string =>
  `SELECT ${columns}, found FROM (
     SELECT found.*, count(*) OVER ()::int AS found,
       sum(octet_length(document)) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - octet_length(document) AS before
     FROM (${rows}) found
   ) sized WHERE before < ${Math.max(1, Math.ceil(bytes))} ORDER BY ${order}`;

const placeOf = (row: Row): { occurredAt: number; id: string } => ({ occurredAt: Number(row.occurred_ms), id: row.id });

/** A page without visits keeps its place, so that paging can go on from it either way. */
function emptyPage(cursor: TimelineCursor | null): { nextCursor: string | null; previousCursor: string | null } {
  if (cursor === null) return { nextCursor: null, previousCursor: null };
  return {
    nextCursor: cursor.side === '>' ? timelineCursor.write({ ...cursor, side: '<=' }) : null,
    previousCursor: timelineCursor.write({ ...cursor, side: '>' }),
  };
}

function where(projectId: string, query: TimelineQuery): { conditions: string[]; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const place = (parameter: unknown): string => `$${parameters.push(parameter)}`;
  const conditions = [`project_id = ${place(projectId)}`, ...conditionsOf(query, place)];
  if (query.cursor !== null) {
    const { side, occurredAt, id } = query.cursor;
    const at = `to_timestamp(${place(occurredAt)}::float8 / 1000)`;
    conditions.push(`(occurred_at, id) ${side} (${at}, ${place(id)}::uuid)`);
    // Older visits may have been received at any time, newer ones not before.
    if (side === '>') conditions.push(`id >= ${place(firstIdAt(occurredAt))}::uuid`);
  }
  return { conditions, parameters };
}
