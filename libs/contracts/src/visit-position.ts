/**
 * How far a project's visits were read: by shard, the number of the last visit; 0 where there is none. Visits that are
 * stored at the same time are numbered in different shards, and each shard has them in the order of their commits. What
 * is not in the position yet is therefore all that comes later, whatever the order of commits.
 */
export type VisitPosition = readonly number[];

/** Statements that store visits at the same time; more wait for one another. A shard is a number below. */
export const MAX_SHARDS = 32;
/** The column `position` of a visit has its shard above as many bits, which hold its number in the shard. */
export const NUMBER_BITS = 56;

/** Returns the shards' numbers with dots between them; a single one is a position in the first shard. */
export const formatPosition = (position: VisitPosition): string => (position.length === 0 ? '0' : position.join('.'));

/** Reads what {@link formatPosition} wrote; null when it is not that. */
export function parsePosition(text: string): VisitPosition | null {
  if (text.length > MAX_SHARDS * 19 || !/^\d{1,18}(?:\.\d{1,18})*$/.test(text)) return null;
  const position = text.split('.').map(Number);
  return position.length > MAX_SHARDS ? null : position;
}

/** Whether the second position has visits that the first has not. */
export const isBehind = (position: VisitPosition, other: VisitPosition): boolean =>
  other.some((number, shard) => number > (position[shard] ?? 0));

/** Returns the position that has the visits of both. */
export function furthest(one: VisitPosition, other: VisitPosition): VisitPosition {
  const length = Math.max(one.length, other.length);
  return Array.from({ length }, (_, shard) => Math.max(one[shard] ?? 0, other[shard] ?? 0));
}

/** Returns the position with the visit in it. */
export function withVisit(
  position: VisitPosition,
  { shard, number }: { shard: number; number: number },
): VisitPosition {
  return Array.from({ length: Math.max(position.length, shard + 1) }, (_, index) =>
    index === shard ? number : (position[index] ?? 0),
  );
}

/** Returns the bounds, both excluded, of the column `position` for the visits of a shard after a number. */
export function visitsAfter(number: number, shard: number): { after: string; before: string } {
  const start = (each: number): bigint => BigInt(each) << BigInt(NUMBER_BITS);
  return { after: String(start(shard) + BigInt(number)), before: String(start(shard + 1)) };
}
