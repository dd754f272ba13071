/** Formats the remaining time, rounded up to a single unit, such as "42 s", "4 min" or "3 h". */
export function timeLeftText(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
  return seconds < 3_600 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}
