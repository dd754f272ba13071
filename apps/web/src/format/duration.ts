import { formatCount } from './count.js';

/** Formats a duration in ms, s or h, with at most four digits. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 9_999.5) return `${formatCount(Math.round(milliseconds))} ms`;
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 10_000 ? `${formatCount(seconds)} s` : `${formatCount(Math.round(seconds / 3_600))} h`;
}

/** Formats a long duration with three digits, such as "12.3 s", "38.1 min" or "15 h". */
export function formatLongDuration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 0.9995) return formatDuration(milliseconds);
  const [value, unit] =
    seconds < 59.97 ? [seconds, 's'] : seconds < 3_598.2 ? [seconds / 60, 'min'] : [seconds / 3_600, 'h'];
  return `${formatDigits(value)} ${unit}`;
}

/** Formats a number with three digits. Larger numbers are rounded to an integer. */
export const formatDigits = (value: number): string =>
  value.toLocaleString('en-US', value < 999.5 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 });
