const HOUR_MINUTES = 60;
/** Minutes are left out from this many hours. */
const MAX_PRECISE_HOURS = 100;

/** Formats a duration with at most three digits or its two largest units, such as "140 ms", "3.8 s" or "2 h 39 min". */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 9.95) return `${formatDigits(milliseconds, 2)} ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${formatDigits(milliseconds / 1_000, 3)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 3_600) return joinUnits(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / HOUR_MINUTES);
  if (hours >= MAX_PRECISE_HOURS) return `${Math.round(minutes / HOUR_MINUTES).toLocaleString('en-US')} h`;
  return joinUnits(hours, 'h', minutes % HOUR_MINUTES, 'min');
}

const formatDigits = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { maximumSignificantDigits: digits });

const joinUnits = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  `${large} ${largeUnit}${small === 0 ? '' : ` ${small} ${smallUnit}`}`;
