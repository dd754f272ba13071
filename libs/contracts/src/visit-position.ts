/**
 * Read position in a project's visits: the number of the last visit read in each shard, or 0. Concurrent statements store
 * visits in different shards, and visits within a shard are numbered in commit order. A reader that continues from its
 * position therefore misses no visits.
 */
export type VisitPosition = readonly number[];

/** Maximum number of shards, and so of statements that store visits concurrently. */
export const MAX_SHARDS = 32;
/** Number of low bits of the `position` column that contain the number in the shard. The higher bits contain the shard. */
export const NUMBER_BITS = 56;

/** Formats a position as the numbers of its shards, separated by dots. */
export const formatPosition = (position: VisitPosition): string => (position.length === 0 ? '0' : position.join('.'));

/** Parses the output of {@link formatPosition}. Returns null if the text is malformed. */
export function parsePosition(text: string): VisitPosition | null {
  if (text.length > MAX_SHARDS * 19 || !/^\d{1,18}(?:\.\d{1,18})*$/.test(text)) return null;
  const position = text.split('.').map(Number);
  return position.length > MAX_SHARDS ? null : position;
}

/** Returns whether `other` includes visits that `position` doesn't. */
export const isBehind = (position: VisitPosition, other: VisitPosition): boolean =>
  other.some((number, shard) => number > (position[shard] ?? 0));

/** Returns the position that includes the visits of both. */
export function furthest(one: VisitPosition, other: VisitPosition): VisitPosition {
  const length = Math.max(one.length, other.length);
  return Array.from({ length }, (_, shard) => Math.max(one[shard] ?? 0, other[shard] ?? 0));
}

/** Returns the position advanced to the visit. */
export function withVisit(
  position: VisitPosition,
  { shard, number }: { shard: number; number: number },
): VisitPosition {
  return Array.from({ length: Math.max(position.length, shard + 1) }, (_, index) =>
    index === shard ? number : (position[index] ?? 0),
  );
}

/** Returns the exclusive bounds of the `position` column for the visits of a shard after a number. */
export function visitsAfter(number: number, shard: number): { after: string; before: string } {
  const start = (index: number): bigint => BigInt(index) << BigInt(NUMBER_BITS);
  return { after: String(start(shard) + BigInt(number)), before: String(start(shard + 1)) };
}
