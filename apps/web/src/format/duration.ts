import { countText } from './count.js';

/** Formats a duration in ms, s or h, with at most four digits. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 9_999.5) return `${countText(Math.round(milliseconds))} ms`;
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 10_000 ? `${countText(seconds)} s` : `${countText(Math.round(seconds / 3_600))} h`;
}
