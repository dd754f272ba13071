import type { VisitPosition } from '#libs/contracts';

/** A visit's shard and its sequence number there. Numbers are in commit order. */
export interface StoredPosition {
  shard: number;
  number: number;
}

/** Number of low bits in the `position` column that contain the sequence number. The high bits contain the shard. */
export const NUMBER_BITS = 56;

/** Returns exclusive bounds for the `position` column that select a shard's visits after a sequence number. */
export function boundsAfter(number: number, shard: number): { after: string; before: string } {
  const start = (index: number): bigint => BigInt(index) << BigInt(NUMBER_BITS);
  return { after: String(start(shard) + BigInt(number)), before: String(start(shard + 1)) };
}

/** Returns the stream position right after a visit, ignoring other shards. */
export const toStreamPosition = ({ shard, number }: StoredPosition): VisitPosition =>
  Array.from({ length: shard + 1 }, (_, index) => (index === shard ? number : 0));
