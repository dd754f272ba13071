/**
 * Seconds around now that count as "just now". Clocks differ, and the page updates its time only every five seconds.
 */
const NOW_S = { past: 5, future: 10 };

/** Units, and how many of each make up the next one. */
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
];

/** Units, and their average length in days. */
const LONG_UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365.2425],
  ['month', 30.436875],
  ['day', 1],
];
/** Below this number, the next smaller unit is used: "45 days ago", not "1 month ago". */
const MIN_LONG_UNITS = 2;
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** Returns text such as "just now", "12 seconds ago", "in 7 days" or "11 years ago". */
export function relativeTime(time: number, now: number): string {
  let amount = (time - now) / 1_000;
  if (amount > -NOW_S.past && amount < NOW_S.future) return 'just now';
  for (const [unit, next] of UNITS) {
    amount = Math.round(amount);
    if (Math.abs(amount) < next) return RELATIVE.format(amount, unit);
    amount /= next;
  }
  for (const [unit, days] of LONG_UNITS) {
    const full = Math.trunc(amount / days);
    if (unit === 'day' || Math.abs(full) >= MIN_LONG_UNITS) return RELATIVE.format(full, unit);
  }
  throw new RangeError(`not a time: ${time}`);
}
