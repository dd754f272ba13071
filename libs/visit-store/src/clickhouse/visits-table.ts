import type { VisitRow } from '../visit-row.js';
import type { ArchivedVisit } from '../archived-visit.js';
import { NUMBER_BITS } from '../stored-position.js';
import { wellFormedJson } from '../well-formed-text.js';
import type { ClickHouse } from './clickhouse.js';
import { dayOf } from './visit-ids.js';

interface Column {
  name: string;
  type: string;
  valueOf: (row: VisitRow) => string | number | null;
}

/**
 * Columns of a visit. Rows are sorted by `UUIDToNum(id)`, because UUIDs have another order in ClickHouse than in
 * PostgreSQL.
 */
const COLUMNS: readonly Column[] = [
  { name: 'project_id', type: 'UUID', valueOf: ({ projectId }) => projectId },
  // Milliseconds since the epoch. ClickHouse's time types don't include every year that a visit can have.
  { name: 'occurred_at', type: 'Int64 CODEC(Delta, ZSTD)', valueOf: ({ occurredAt }) => occurredAt },
  { name: 'id', type: 'UUID CODEC(ZSTD)', valueOf: ({ id }) => id },
  // UTC day of receipt, which is part of the ID. A visit is never received before it occurs.
  { name: 'day', type: 'Date', valueOf: ({ id }) => dayOf(id) },
  { name: 'agent_id', type: 'Nullable(UUID) CODEC(ZSTD)', valueOf: ({ agentId }) => agentId },
  { name: 'agent_type', type: 'LowCardinality(Nullable(String))', valueOf: ({ agentType }) => agentType },
  { name: 'operator', type: 'LowCardinality(Nullable(String))', valueOf: ({ operator }) => operator },
  { name: 'result', type: 'LowCardinality(String)', valueOf: ({ result }) => result },
  { name: 'path', type: 'String CODEC(ZSTD)', valueOf: ({ path }) => path },
  { name: 'status', type: 'Nullable(Float64) CODEC(ZSTD)', valueOf: ({ status }) => status },
  { name: 'response_bytes', type: 'Nullable(Int64) CODEC(ZSTD)', valueOf: ({ responseBytes }) => responseBytes },
  { name: 'response_us', type: 'Nullable(Int32) CODEC(ZSTD)', valueOf: ({ responseUs }) => responseUs },
  { name: 'response_flags', type: 'Nullable(Int16) CODEC(ZSTD)', valueOf: ({ responseFlags }) => responseFlags },
  { name: 'mcp_tool', type: 'LowCardinality(Nullable(String))', valueOf: ({ mcpTool }) => mcpTool },
  { name: 'kinds', type: 'Int16 CODEC(ZSTD)', valueOf: ({ kinds }) => kinds },
  { name: 'decisions', type: 'LowCardinality(Nullable(String))', valueOf: ({ decisions }) => decisions },
  { name: 'robots', type: 'Nullable(Int16) CODEC(ZSTD)', valueOf: ({ robots }) => robots },
  { name: 'automation', type: 'Nullable(Int16) CODEC(ZSTD)', valueOf: ({ automation }) => automation },
  { name: 'assistant', type: 'LowCardinality(Nullable(String))', valueOf: ({ assistant }) => assistant },
  {
    name: 'user_agent_group',
    type: 'Nullable(Int32) CODEC(ZSTD)',
    valueOf: ({ userAgentGroup }) => userAgentGroup,
  },
  {
    name: 'client_address',
    type: 'Nullable(String) CODEC(ZSTD)',
    valueOf: ({ document }) => document.client_address,
  },
  // The enriched visit as JSON, byte for byte as published.
  {
    name: 'document',
    type: 'String CODEC(ZSTD(6))',
    valueOf: ({ document }) => wellFormedJson(JSON.stringify(document)),
  },
];

/** Columns that are known only when a batch is inserted. */
const POSITION_COLUMNS = [
  // Number of the batch that inserted the row.
  ['batch', 'UInt64 CODEC(Delta, ZSTD)'],
  // Position in live streams. It doesn't change if the visit is replaced.
  ['shard', 'UInt8 CODEC(ZSTD)'],
  ['number', 'UInt64 CODEC(Delta, ZSTD)'],
] as const;

/** Project of rows that contain only an ID, which aren't visits to show. */
export const NO_PROJECT = '00000000-0000-0000-0000-000000000000';

/** SQL expression for a visit's stream position, as in PostgreSQL's `position` column. */
export const POSITION = `bitOr(bitShiftLeft(toInt64(shard), ${NUMBER_BITS}), toInt64(number))`;

/** Names of all columns, in the order of the values in a line. */
export const COLUMN_NAMES = [...COLUMNS.map(({ name }) => name), ...POSITION_COLUMNS.map(([name]) => name)];

/** Returns the beginning of a visit's line in the JSONCompactEachRow format. {@link finishLine} adds the rest. */
export function startLine(row: VisitRow): string {
  if (row.isCounted) return startIdLine(row.id);
  return JSON.stringify(COLUMNS.map(({ valueOf }) => valueOf(row))).slice(0, -1);
}

/**
 * Like {@link startLine}, for a visit of which only the ID is stored, so that it isn't stored again if it's delivered
 * again later.
 */
export function startIdLine(id: string): string {
  const values: Record<string, string> = { id, day: dayOf(id) };
  // ClickHouse replaces null with the column's default value, such as a project ID of zeros.
  return JSON.stringify(COLUMNS.map(({ name }) => values[name] ?? null)).slice(0, -1);
}

/** Returns the complete line of a visit that is already stored elsewhere. */
export function toLine(visit: ArchivedVisit): string {
  const position = BigInt(visit.position);
  const values = COLUMNS.map(({ name }) => (name === 'day' ? dayOf(visit.id) : visit[name]));
  const shard = Number(position >> BigInt(NUMBER_BITS));
  return finishLine(JSON.stringify(values).slice(0, -1), {
    batch: 0,
    shard,
    number: Number(BigInt.asUintN(NUMBER_BITS, position)),
  });
}

/** Returns the line of a visit that was only counted. */
export const toIdLine = (id: string): string => finishLine(startIdLine(id), { batch: 0, shard: 0, number: 0 });

interface Position {
  batch: number;
  shard: number;
  number: number;
}

export const finishLine = (line: string, { batch, shard, number }: Position): string =>
  `${line},${batch},${shard},${number}]`;

/** Skip indexes as `[name, definition]`. */
const INDEXES = [
  // Lets live streams skip older visits.
  ['number', 'number TYPE minmax GRANULARITY 1'],
  // Finds the latest batches.
  ['batch', 'batch TYPE minmax GRANULARITY 1'],
] as const;

/**
 * Returns the statements that create the tables, and add missing columns and indexes to tables that exist. They can be
 * repeated.
 *
 * `visits_local` contains the rows of one shard of a cluster, and `visits` gives access to all shards.
 */
export function createTables({ visits, localVisits, onCluster, options: { database, cluster } }: ClickHouse): string[] {
  const columns = [...COLUMNS.map(({ name, type }) => [name, type] as const), ...POSITION_COLUMNS].map((column) =>
    column.join(' '),
  );
  const indexes = INDEXES.map(([name, definition]) => `INDEX ${name} ${definition}`);
  const local = `CREATE TABLE IF NOT EXISTS ${localVisits}${onCluster} (
  ${[...columns, ...indexes].join(',\n  ')}
)
ENGINE = ${cluster === null ? 'MergeTree' : 'ReplicatedMergeTree'}
PARTITION BY (day, agent_id IS NULL)
ORDER BY (project_id, occurred_at, UUIDToNum(id))
SETTINGS
  -- A page's visits are scattered if few match, and one of them costs as much to read as all others in its granule.
  index_granularity = 1024,
  -- Number of the latest inserts that have no effect when they are repeated.
  non_replicated_deduplication_window = 100000, replicated_deduplication_window = 100000,
  -- Seconds for which replicas and ClickHouse Cloud remember inserts.
  replicated_deduplication_window_seconds = 604800,
  -- An acknowledged insert survives a power failure.
  fsync_after_insert = 1, fsync_part_directory = 1,
  -- Required for deletes that don't rewrite whole parts.
  enable_block_number_column = 1, enable_block_offset_column = 1`;
  const distributed = `CREATE TABLE IF NOT EXISTS ${visits}${onCluster} AS ${localVisits}
ENGINE = Distributed(${cluster}, ${database}, visits_local, cityHash64(id))`;
  const addColumns = columns.map((column) => `ADD COLUMN IF NOT EXISTS ${column}`);
  const addIndexes = INDEXES.map(([name, definition]) => `ADD INDEX IF NOT EXISTS ${name} ${definition}`);
  const alter = (table: string, changes: readonly string[]): string =>
    `ALTER TABLE ${table}${onCluster} ${changes.join(', ')}`;
  return [
    `CREATE DATABASE IF NOT EXISTS ${database}${onCluster}`,
    local,
    alter(localVisits, [...addColumns, ...addIndexes]),
    ...(cluster === null ? [] : [distributed, alter(visits, addColumns)]),
  ];
}
