const DAY_MINUTES = 1_440;

/** Formats a time span in words, such as "15 minutes", "an hour", "24 hours" or "2 days". */
export function formatTimeSpan(minutes: number): string {
  if (minutes === 60) return 'an hour';
  if (minutes % 60 !== 0 || minutes === 0) return `${minutes.toLocaleString('en-US')} minutes`;
  return minutes > DAY_MINUTES && minutes % DAY_MINUTES === 0
    ? `${minutes / DAY_MINUTES} days`
    : `${(minutes / 60).toLocaleString('en-US')} hours`;
}
