/** Seconds around now that are neither past nor to come: clocks differ, and the page's is set every five seconds. */
const NOW_S = { past: 5, future: 10 };

/** Units with how many of them make the next. */
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
];

/** Days in the units above a day, on average. */
const LONG_UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365.2425],
  ['month', 30.436875],
  ['day', 1],
];
/** Below this many of a unit, the next smaller one is used: "45 days ago", not "1 month ago". */
const MIN_LONG_UNITS = 2;
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** Returns "just now", "12 seconds ago", "in 7 days" or "11 years ago", in the largest unit of which there is enough. */
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
