/**
 * Number of seconds before and after now that count as "just now". Allows for clock differences and for times being
 * updated only every five seconds.
 */
const JUST_NOW_SECONDS = { past: 5, future: 10 };

/** Units, each with the number that makes up the next larger unit. */
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
];

/** Units, each with its average length in days. */
const LONG_UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365.2425],
  ['month', 30.436875],
  ['day', 1],
];
/**
 * Minimum number for a unit to be used. Below it, the next smaller unit is used: "45 days ago" instead of "1 month
 * ago".
 */
const MIN_LONG_UNITS = 2;
const RELATIVE_FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** Returns text such as "just now", "12 seconds ago", "in 7 days" or "11 years ago". */
export function formatRelativeTime(time: number, now: number): string {
  let amount = (time - now) / 1_000;
  if (amount > -JUST_NOW_SECONDS.past && amount < JUST_NOW_SECONDS.future) return 'just now';
  for (const [unit, next] of UNITS) {
    amount = Math.round(amount);
    if (Math.abs(amount) < next) return RELATIVE_FORMAT.format(amount, unit);
    amount /= next;
  }
  for (const [unit, days] of LONG_UNITS) {
    const full = Math.trunc(amount / days);
    if (unit === 'day' || Math.abs(full) >= MIN_LONG_UNITS) return RELATIVE_FORMAT.format(full, unit);
  }
  throw new RangeError(`Invalid time: ${time}`);
}
