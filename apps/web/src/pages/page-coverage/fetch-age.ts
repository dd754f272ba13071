const DAY_MS = 86_400_000;

/** Age of the last fetch, for the color of a cell. */
export const FETCH_AGES = [
  { age: 'day', label: 'in the last 24 hours', maxDays: 1 },
  { age: 'week', label: 'in the last 7 days', maxDays: 7 },
  { age: 'month', label: 'in the last 30 days', maxDays: 30 },
  { age: 'older', label: 'over 30 days ago', maxDays: Infinity },
] as const;

/** @param now Milliseconds since the epoch. */
export const findFetchAge = (time: string, now: number): (typeof FETCH_AGES)[number] =>
  FETCH_AGES.find(({ maxDays }) => now - Date.parse(time) <= maxDays * DAY_MS)!;

/** Formats the time since the last fetch briefly, such as "5 d". */
export function formatFetchAge(time: string, now: number): string {
  const days = Math.floor((now - Date.parse(time)) / DAY_MS);
  return days < 1 ? '< 1 d' : `${days} d`;
}
