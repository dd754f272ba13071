const DAY_MS = 86_400_000;

/** Age of the last fetch, for the color of a cell. */
export const FETCH_AGES = [
  { age: 'day', label: 'last 24 hours', maxDays: 1 },
  { age: 'week', label: 'last 7 days', maxDays: 7 },
  { age: 'month', label: 'last 30 days', maxDays: 30 },
  { age: 'older', label: 'older', maxDays: Infinity },
] as const;

/** @param now Milliseconds since the epoch. */
export const findFetchAge = (time: string, now: number): (typeof FETCH_AGES)[number] =>
  FETCH_AGES.find(({ maxDays }) => now - Date.parse(time) <= maxDays * DAY_MS)!;

/** Returns the number of full days since a fetch. */
export const getFetchDays = (time: string, now: number): number => Math.floor((now - Date.parse(time)) / DAY_MS);

/** Formats the time since the last fetch, such as "5 days ago". */
export function formatFetchAge(time: string, now: number): string {
  const days = getFetchDays(time, now);
  return days < 1 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`;
}
