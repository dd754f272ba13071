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

/** Formats a duration in minutes and seconds, such as "3:05", or with hours from one hour, such as "1:03:05". */
export function formatClockDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  return seconds < 3_600
    ? parts.join(':').replace(/^0/, '')
    : [formatCount(Math.floor(seconds / 3_600)), ...parts].join(':');
}

/** Formats a duration in seconds, such as "0.04 s" or "1.2 s". */
export const formatSeconds = (milliseconds: number): string =>
  `${(milliseconds / 1_000).toFixed(milliseconds < 995 ? 2 : 1)} s`;

/** Formats a number with three digits. Larger numbers are rounded to an integer. */
export const formatDigits = (value: number): string =>
  value.toLocaleString('en-US', value < 999.5 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 });
