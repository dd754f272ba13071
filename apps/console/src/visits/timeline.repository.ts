import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { writeCursor, type Cursor } from './timeline-cursor.js';
import { earliestId, type TimelineQuery } from './timeline-query.js';

const FAILED = 'verification_failed';

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
export interface StreamedVisit {
  position: bigint;
  document: string;
}

@Injectable()
export class TimelineRepository {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** A page of the project's visits, newest first by (occurred_at, id). */
  async page(projectId: string, query: TimelineQuery): Promise<TimelinePage> {
    const { cursor, limit } = query;
    const isNewer = cursor?.side === '>';
    const { conditions, parameters } = where(projectId, query);
    const direction = isNewer ? 'ASC' : 'DESC';
    // One more than asked for tells whether there are more.
    const rows: Row[] = await this.dataSource.query(
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
      nextCursor: isNewer || hasMore ? writeCursor({ side: '<', ...placeOf(last) }) : null,
      // Newer visits may arrive at any time.
      previousCursor: writeCursor({ side: '>', ...placeOf(first) }),
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
    const rows: { position: string; document: string }[] = await this.dataSource.query(
      `SELECT position, document::text AS document FROM visits
       WHERE project_id = $1 AND position > $2 ORDER BY position LIMIT $3`,
      [projectId, String(position), limit],
    );
    return rows.map((row) => ({ position: BigInt(row.position), document: row.document }));
  }

  /** Position of the project's last visit; 0 before the first. */
  async lastPosition(projectId: string): Promise<bigint> {
    const rows: { position: string }[] = await this.dataSource.query(
      `SELECT position FROM visit_positions WHERE project_id = $1`,
      [projectId],
    );
    return BigInt(rows[0]?.position ?? 0);
  }
}

const placeOf = (row: Row): { occurredAt: number; id: string } => ({ occurredAt: Number(row.occurred_ms), id: row.id });

/** A page without visits keeps its place, so that paging can go on from it either way. */
function emptyPage(cursor: Cursor | null): { nextCursor: string | null; previousCursor: string | null } {
  if (cursor === null) return { nextCursor: null, previousCursor: null };
  return {
    nextCursor: cursor.side === '>' ? writeCursor({ ...cursor, side: '<=' }) : null,
    previousCursor: writeCursor({ ...cursor, side: '>' }),
  };
}

function where(projectId: string, query: TimelineQuery): { conditions: string[]; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const value = (parameter: unknown): string => `$${parameters.push(parameter)}`;
  const time = (milliseconds: number): string => `to_timestamp(${value(milliseconds)}::float8 / 1000)`;
  const conditions = [`project_id = ${value(projectId)}`];
  const among = (column: string, values: string[] | null, type = 'text'): void => {
    if (values === null) return;
    // For a single value there may be an index in the order of the timeline.
    if (values.length === 1) conditions.push(`${column} = ${value(values[0])}::${type}`);
    else conditions.push(`${column} = ANY (${value(values)}::${type}[])`);
  };
  if (query.from !== null) {
    // The id bounds the partitions that are read.
    conditions.push(`occurred_at >= ${time(query.from)}`, `id >= ${value(earliestId(query))}::uuid`);
  }
  if (query.to !== null) conditions.push(`occurred_at < ${time(query.to)}`);
  among('agent_id', query.agentIds, 'uuid');
  among('agent_type', query.types);
  among('operator', query.operators);
  among('result', query.results);
  // The index on them is found by the value itself only, which a parameter does not show.
  if (query.results?.every((result) => result === FAILED)) conditions.push(`result = '${FAILED}'`);
  among('mcp_tool', query.mcpTools);
  if (query.pathPrefixes !== null) {
    conditions.push(`EXISTS (SELECT FROM unnest(${value(query.pathPrefixes)}::text[]) p WHERE starts_with(path, p))`);
  }
  if (query.pages !== null) conditions.push(`split_part(path, '?', 1) = ANY (${value(query.pages)}::text[])`);
  if (query.addresses !== null) {
    conditions.push(`(document ->> 'client_address')::inet <<= ANY (${value(query.addresses)}::inet[])`);
  }
  if (query.statuses !== null) {
    const ranges = query.statuses.map(({ from, to }) => `(status >= ${value(from)} AND status < ${value(to)})`);
    conditions.push(`(${ranges.join(' OR ')})`);
  }
  if (query.kinds !== null) conditions.push(`kinds & ${value(query.kinds)}::smallint <> 0`);
  if (query.cursor !== null) {
    const { side, occurredAt, id } = query.cursor;
    conditions.push(`(occurred_at, id) ${side} (${time(occurredAt)}, ${value(id)}::uuid)`);
  }
  return { conditions, parameters };
}
