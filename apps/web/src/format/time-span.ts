/** Formats a time span with its two largest units, such as `3 min 5 s`. */
export function formatTimeSpan(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return joinUnits(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return joinUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

const joinUnits = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  `${large} ${largeUnit}${small === 0 ? '' : ` ${small} ${smallUnit}`}`;
