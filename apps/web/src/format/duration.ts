/** Of milliseconds, in no more than four digits. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 9_999.5) return `${Math.round(milliseconds)} ms`;
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 10_000 ? `${seconds} s` : `${Math.round(seconds / 3_600)} h`;
}
