/**
 * Read position in a project's visits: the number of the last visit read in each shard, or 0. Concurrent statements store
 * visits in different shards, and visits within a shard are numbered in commit order. A reader that continues from its
 * position therefore doesn't miss any visits.
 */
export type VisitPosition = readonly number[];

/** Maximum number of shards, and therefore of statements that store visits concurrently. */
export const MAX_SHARDS = 32;

/** Formats a position as one number per shard, separated by dots. */
export const formatPosition = (position: VisitPosition): string => (position.length === 0 ? '0' : position.join('.'));

/** Parses the output of {@link formatPosition}. Returns null if the text is malformed. */
export function parsePosition(text: string): VisitPosition | null {
  if (text.length > MAX_SHARDS * 19 || !/^\d{1,18}(?:\.\d{1,18})*$/.test(text)) return null;
  const position = text.split('.').map(Number);
  return position.length > MAX_SHARDS ? null : position;
}

/** Returns true if `other` includes visits that `position` doesn't. */
export const isBehind = (position: VisitPosition, other: VisitPosition): boolean =>
  other.some((number, shard) => number > (position[shard] ?? 0));

/** Returns the position that includes all visits in either position. */
export function mergePositions(one: VisitPosition, other: VisitPosition): VisitPosition {
  const length = Math.max(one.length, other.length);
  return Array.from({ length }, (_, shard) => Math.max(one[shard] ?? 0, other[shard] ?? 0));
}

/** Returns the position that includes only the visits in both positions. */
export const intersectPositions = (one: VisitPosition, other: VisitPosition): VisitPosition =>
  one.map((number, shard) => Math.min(number, other[shard] ?? 0));
