/** Seconds around now that are neither past nor to come: clocks differ, and the page's is set every five seconds. */
const NOW_S = { past: 5, future: 10 };

/** Units with how many of them make the next. */
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', Infinity],
];
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** "just now", "12 seconds ago", "in 7 days": rounded unit by unit, so that no unit is full. */
export function relativeTime(time: number, now: number): string {
  let amount = (time - now) / 1_000;
  if (amount > -NOW_S.past && amount < NOW_S.future) return 'just now';
  for (const [unit, next] of UNITS) {
    amount = Math.round(amount);
    if (Math.abs(amount) < next) return RELATIVE.format(amount, unit);
    amount /= next;
  }
  throw new RangeError(`not a time: ${time}`);
}
