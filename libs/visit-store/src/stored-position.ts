import type { VisitPosition } from '#libs/contracts';

/** A visit's number in its shard, which has them in the order of commits. */
export interface StoredPosition {
  shard: number;
  number: number;
}

/** Number of low bits of the `position` column that contain the number in the shard. The higher bits contain the shard. */
export const NUMBER_BITS = 56;

/** Returns the exclusive bounds of the `position` column for the visits of a shard after a number. */
export function visitsAfter(number: number, shard: number): { after: string; before: string } {
  const start = (index: number): bigint => BigInt(index) << BigInt(NUMBER_BITS);
  return { after: String(start(shard) + BigInt(number)), before: String(start(shard + 1)) };
}

/** Returns the position that has a single visit and those before it in its shard. */
export const positionOf = ({ shard, number }: StoredPosition): VisitPosition =>
  Array.from({ length: shard + 1 }, (_, index) => (index === shard ? number : 0));
