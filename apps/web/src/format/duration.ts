import { formatCount } from './count.js';

/** Formats a duration in ms, s or h, with at most four digits. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 9_999.5) return `${formatCount(Math.round(milliseconds))} ms`;
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 10_000 ? `${formatCount(seconds)} s` : `${formatCount(Math.round(seconds / 3_600))} h`;
}
