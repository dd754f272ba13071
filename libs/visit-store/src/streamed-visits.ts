import { mergePositions, type VisitPosition } from '#libs/contracts';
import { addNetwork, type ClientNetworks } from './client-networks.js';
import { toStreamPosition, type StoredPosition } from './stored-position.js';
import type { FilteredColumns } from './timeline-filters.js';
import type { SizedRow } from './timeline-pages.js';

/** Once the documents in a part reach this size, no more visits are returned. */
export const MAX_STREAMED_BYTES = 2 ** 20;

/** A visit and the stream position right after it. */
export interface StreamedVisit extends FilteredColumns {
  position: VisitPosition;
  document: string;
}

export interface StreamedPart {
  visits: StreamedVisit[];
  /** Position up to which all visits have been read. */
  position: VisitPosition;
  hasMore: boolean;
}

export interface StreamedRow extends FilteredColumns, StoredPosition, SizedRow {}

/** Part of a shard's visits, from `after` (exclusive) to `last` (inclusive). */
export interface ShardRange {
  shard: number;
  after: number;
  last: number;
}

/** Returns the ranges of visits after a position, for shards that have any. */
export const rangesAfter = (position: VisitPosition, last: VisitPosition): ShardRange[] =>
  last
    .map((number, shard) => ({ shard, after: position[shard] ?? 0, last: number }))
    .filter((range) => range.last > range.after);

/**
 * Reads the next visits after a position.
 *
 * @param last Position of the last visit to read.
 * @param readRows Returns up to `limitPerShard` visits from each range, up to {@link MAX_STREAMED_BYTES}.
 */
export async function readPart(
  { position, last, limit, networks }: PartQuery,
  readRows: (ranges: readonly ShardRange[], limitPerShard: number) => Promise<StreamedRow[]>,
): Promise<StreamedPart> {
  const ranges = rangesAfter(position, last);
  if (ranges.length === 0) return { visits: [], position, hasMore: false };
  const limitPerShard = Math.ceil(limit / ranges.length);
  const rows = await readRows(ranges, limitPerShard);
  const read = Map.groupBy(rows, ({ shard }) => shard).values();
  const hasMore = rows.length < (rows[0]?.found ?? 0) || [...read].some(({ length }) => length === limitPerShard);
  const reached = furthestPosition(position, rows);
  return {
    visits: rows.map(({ shard, number, found: _found, ...visit }) => ({
      ...visit,
      position: toStreamPosition({ shard, number }),
      document: addNetwork(visit.document, networks),
    })),
    position: hasMore ? reached : mergePositions(reached, last),
    hasMore,
  };
}

interface PartQuery {
  position: VisitPosition;
  last: VisitPosition;
  limit: number;
  networks: ClientNetworks;
}

export const furthestPosition = (position: VisitPosition, visits: readonly StoredPosition[]): VisitPosition =>
  visits.reduce((reached, visit) => mergePositions(reached, toStreamPosition(visit)), position);
