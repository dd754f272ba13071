import type { Range } from '../../range/range.js';

/** What the server counts by. */
const QUARTER_HOUR_MS = 900_000;

/** The range of the overview that has all imported visits; null where there are none. */
export function rangeOf(times: { first: number; last: number } | null): Range | null {
  if (times === null) return null;
  const from = Math.floor(times.first / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
  const to = (Math.floor(times.last / QUARTER_HOUR_MS) + 1) * QUARTER_HOUR_MS;
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

/** "42 s", "4 min", "3 h": a guess needs no more. */
export function timeLeftText(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
  return seconds < 3_600 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}
