import type { ClickHouseSettings } from '@clickhouse/client';
import { Injectable } from '@nestjs/common';
import { getTimeFromId, type TimelineCursor, type TimelineFilters, type VisitPosition } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { addNetwork, ClientNetworks } from '../client-networks.js';
import type { PublicOf } from '../public-of.js';
import type { Snapshot } from '../snapshot.js';
import {
  MAX_STREAMED_BYTES,
  readPart,
  type ShardRange,
  type StreamedPart,
  type StreamedRow,
} from '../streamed-visits.js';
import { CLICKHOUSE_FILTERED_COLUMNS, toClickHouseConditions, type BindTyped } from '../timeline-filters.js';
import { readPage, type PageRead, type TimelinePage, type TimelineQuery, type TimelineRow } from '../timeline-pages.js';
import type { NewestVisits, TimelineRepository } from '../timeline.repository.js';
import { ClickHouse } from './clickhouse.js';
import { readLastPosition, toRangeConditions } from './last-position.repository.js';
import { limitBytes } from './limit-bytes.js';
import { toReceiptDay } from './receipt-day.js';
import { createParameters } from './statement-parameters.js';
import { toKeyConditions, type VisitKey } from './visit-keys.js';
import { NEWEST_FIRST, OLDEST_FIRST } from './visit-range.js';

const DAY_MS = 86_400_000;
/**
 * Time spans to search for a page's visits before searching the rest. ClickHouse reads visits from every partition that
 * can contain some, and most pages are within a day.
 */
const SEARCHED_SPANS_MS = [DAY_MS, 16 * DAY_MS];
const PAGE_SETTINGS = {
  // Maximum number of rows for which ClickHouse reads documents only after sorting. Older servers have a lower default.
  query_plan_max_limit_for_lazy_materialization: '10000',
  // Otherwise, ClickHouse compares the times of all visits in the span, even if hardly any match the filters.
  use_top_k_dynamic_filtering: 0,
} as const satisfies ClickHouseSettings;
/**
 * Settings for searching the rest after the other time spans had too few visits. So few visits match that reading in
 * timeline order would rarely end early, and ClickHouse reads faster in any other order.
 */
const RARE_VISITS = { ...PAGE_SETTINGS, optimize_read_in_order: 0 } as const;

@Injectable()
export class ClickHouseTimelineRepository implements PublicOf<TimelineRepository> {
  readonly countsAllFast = true;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clickhouse: ClickHouse,
    private readonly networks: ClientNetworks,
  ) {}

  async page(projectId: string, query: TimelineQuery, snapshot?: Snapshot): Promise<TimelinePage> {
    return readPage(query, this.networks, (read) => this.readRows(projectId, query, read, snapshot?.timeoutMs));
  }

  async countNewest(
    projectId: string,
    filters: TimelineFilters,
    max: number | null,
    { timeoutMs }: Snapshot,
  ): Promise<NewestVisits> {
    const { parameters, bind } = createParameters();
    const [row] = await this.clickhouse.query<NewestVisits>(
      `SELECT count() AS visits, minOrNull(occurred_at) AS since
       FROM (
         SELECT occurred_at FROM ${this.clickhouse.visits} WHERE ${toConditions(projectId, filters, bind).join(' AND ')}
         ${max === null ? '' : `ORDER BY ${NEWEST_FIRST} LIMIT ${max}`}
       )`,
      parameters,
      { timeoutMs },
    );
    return row!;
  }

  async findOldest(
    projectId: string,
    { timeoutMs }: Snapshot,
  ): Promise<{ agents: number | null; unknown: number | null }> {
    const oldest = (condition: string): string =>
      `(SELECT occurred_at FROM ${this.clickhouse.visits}
        WHERE project_id = {project:UUID} AND agent_id ${condition} ORDER BY ${OLDEST_FIRST} LIMIT 1)`;
    const [row] = await this.clickhouse.query<{ agents: number | null; unknown: number | null }>(
      `SELECT ${oldest('IS NOT NULL')} AS agents, ${oldest('IS NULL')} AS unknown`,
      { project: projectId },
      { timeoutMs },
    );
    return row!;
  }

  async find(projectId: string, id: string): Promise<string | null> {
    const [row] = await this.clickhouse.query<{ document: string }>(
      `SELECT document FROM ${this.clickhouse.visits}
       WHERE project_id = {project:UUID} AND day = {day:Date} AND id = {id:UUID} LIMIT 1`,
      { project: projectId, day: toReceiptDay(getTimeFromId(id)), id },
    );
    return row === undefined ? null : addNetwork(row.document, this.networks);
  }

  /** Returns visits after a position in the order in which they were accepted, whatever their shard. */
  async readAfter(projectId: string, position: VisitPosition, limit: number): Promise<StreamedPart> {
    const last = await this.lastPosition(projectId);
    return readPart({ position, last, limit, networks: this.networks }, (ranges, limitPerShard) =>
      this.readStreamed(projectId, ranges, limitPerShard),
    );
  }

  lastPosition(projectId: string): Promise<VisitPosition> {
    return readLastPosition(this.dataSource, projectId);
  }

  private async readRows(
    projectId: string,
    filters: TimelineFilters,
    { side, cursor, rowLimit, maxBytes }: PageRead,
    timeoutMs?: number,
  ): Promise<TimelineRow[]> {
    const order = side === '>' ? OLDEST_FIRST : NEWEST_FIRST;
    const rows: TimelineRow[] = [];
    let bytes = 0;
    for (const [index, span] of searchedSpans(filters, side, cursor).entries()) {
      const { parameters, bind } = createParameters();
      const conditions = [
        ...toConditions(projectId, filters, bind),
        ...toClickHouseConditions(span, bind),
        ...(cursor === null ? [] : toCursorConditions(cursor, bind)),
      ];
      const before = rows.length;
      const visits = await this.clickhouse.query<TimelineRow>(
        limitBytes(
          'id, occurred_at AS occurred_ms, document',
          `SELECT id, occurred_at, document FROM ${this.clickhouse.visits}
           WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${rowLimit - before}`,
          order,
          maxBytes - bytes,
        ),
        parameters,
        {
          ...(timeoutMs !== undefined && { timeoutMs }),
          settings: index === SEARCHED_SPANS_MS.length ? RARE_VISITS : PAGE_SETTINGS,
        },
      );
      rows.push(...visits.map((row) => ({ ...row, found: before + row.found })));
      bytes += visits.reduce((sum, { document }) => sum + Buffer.byteLength(document), 0);
      const found = rows.at(-1)?.found ?? 0;
      if (found === rowLimit || found > rows.length) break;
    }
    return rows;
  }

  private async readStreamed(
    projectId: string,
    ranges: readonly ShardRange[],
    limitPerShard: number,
  ): Promise<StreamedRow[]> {
    const { parameters, bind } = createParameters();
    const project = `project_id = ${bind(projectId, 'UUID')}`;
    // Find the visits first, so that only the documents to return are read.
    const keys = await this.clickhouse.query<VisitKey>(
      `SELECT id, occurred_at FROM ${this.clickhouse.visits}
       WHERE ${[project, ...toRangeConditions(ranges, bind)].join(' AND ')}
       ORDER BY number, shard LIMIT ${limitPerShard} BY shard`,
      parameters,
    );
    if (keys.length === 0) return [];
    return this.clickhouse.query(
      limitBytes(
        `shard, number, document, ${CLICKHOUSE_FILTERED_COLUMNS.map(([name]) => `"${name}"`).join(', ')}`,
        `SELECT shard, number, document,
           ${CLICKHOUSE_FILTERED_COLUMNS.map(([name, column]) => `${column} AS "${name}"`).join(', ')}
         FROM ${this.clickhouse.visits} WHERE ${[project, ...toKeyConditions(keys, bind)].join(' AND ')}`,
        'number, shard',
        MAX_STREAMED_BYTES,
      ),
      parameters,
    );
  }
}

const toConditions = (projectId: string, filters: TimelineFilters, bind: BindTyped): string[] => [
  `project_id = ${bind(projectId, 'UUID')}`,
  ...toClickHouseConditions(filters, bind),
];

function toCursorConditions({ side, occurredAt, id }: TimelineCursor, bind: BindTyped): string[] {
  const at = bind(occurredAt, 'Int64');
  return [
    `(occurred_at, UUIDToNum(id)) ${side} (${at}, UUIDToNum(${bind(id, 'UUID')}))`,
    ...(side.startsWith('>')
      ? [`occurred_at >= ${at}`, `day >= ${bind(toReceiptDay(occurredAt), 'Date')}`]
      : [`occurred_at <= ${at}`]),
  ];
}

/** Returns consecutive time spans to search for a page's visits, in the direction of `side`. */
function searchedSpans(
  { from, to }: TimelineFilters,
  side: '<' | '>',
  cursor: TimelineCursor | null,
): Partial<Pick<TimelineFilters, 'from' | 'to'>>[] {
  const isBackward = side === '<';
  const start = cursor?.occurredAt ?? (isBackward ? (to ?? Date.now()) : (from ?? Infinity));
  const ends = SEARCHED_SPANS_MS.map((span) => (isBackward ? start - span : start + span)).filter((end) =>
    isBackward ? end > (from ?? -Infinity) : end < (to ?? Infinity),
  );
  const [near, far] = isBackward ? (['to', 'from'] as const) : (['from', 'to'] as const);
  return Array.from({ length: ends.length + 1 }, (_, index) => ({
    ...(index > 0 && { [near]: ends[index - 1] }),
    ...(index < ends.length && { [far]: ends[index] }),
  }));
}
