import { Inject, Injectable } from '@nestjs/common';
import { firstIdAt, timelineCursor, type TimelineCursor, type TimelineFilters } from '#libs/contracts';
import { READING_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';
import type { Query } from '../statistics/reading.repository.js';
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

interface Row {
  id: string;
  occurred_ms: string;
  document: string;
}

/** A visit in the order of commits. */
export interface StreamedVisit extends FilteredColumns {
  position: bigint;
  document: string;
}

interface StreamedRow extends Omit<StreamedVisit, 'position'> {
  position: string;
}

@Injectable()
export class TimelineRepository {
  constructor(@Inject(READING_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /**
   * A page of the project's visits, newest first by (occurred_at, id).
   *
   * @param run instead of a connection of its own.
   */
  async page(projectId: string, query: TimelineQuery, run: Query = this.run): Promise<TimelinePage> {
    const { cursor, limit } = query;
    const isNewer = cursor?.side === '>';
    const { conditions, parameters } = where(projectId, query);
    const direction = isNewer ? 'ASC' : 'DESC';
    // One more than asked for tells whether there are more.
    const rows = await run<Row>(
      `SELECT id, (extract(epoch FROM occurred_at) * 1000)::bigint AS occurred_ms, document::text AS document
       FROM visits WHERE ${conditions.join(' AND ')}
       ORDER BY occurred_at ${direction}, id ${direction} LIMIT ${limit + 1}`,
      parameters,
    );
    const hasMore = rows.length > limit;
    const visits = rows.slice(0, limit);
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

  /** The document of one visit; null when the project has no such visit. */
  async find(projectId: string, id: string): Promise<string | null> {
    const rows: { document: string }[] = await this.dataSource.query(
      `SELECT document::text AS document FROM visits WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
    return rows[0]?.document ?? null;
  }

  /** Visits after a position, in the order of commits. */
  async after(projectId: string, position: bigint, limit: number): Promise<StreamedVisit[]> {
    const rows: StreamedRow[] = await this.dataSource.query(
      `SELECT position, document::text AS document, (extract(epoch FROM occurred_at) * 1000)::float8 AS "occurredAt",
         agent_id AS "agentId", agent_type AS "agentType", operator, result, path,
         document ->> 'client_address' AS "clientAddress", status, mcp_tool AS "mcpTool", kinds
       FROM visits WHERE project_id = $1 AND position > $2 ORDER BY position LIMIT $3`,
      [projectId, String(position), limit],
    );
    return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
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
