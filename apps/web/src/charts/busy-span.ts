import { formatTime } from '../format/time.js';
import { getItemEnd, isDailyOrLonger, type ChartTimes } from './chart-times.js';

/** Maximum length of a busy span, as a share of the range. */
const MAX_LENGTH_SHARE = 0.2;
/** A span includes the items next to it that have at least this share of its average. */
const MIN_NEIGHBOR_SHARE = 0.25;

/** Consecutive items of a series. Both indexes are inclusive. */
export interface BusySpan {
  first: number;
  last: number;
}

/**
 * Returns the shortest run of items that has at least the given share of the total, with the high items next to it.
 *
 * @returns Null if the run is longer than a fifth of the items.
 */
export function findBusySpan(values: readonly number[], share: number): BusySpan | null {
  const goal = share * sum(values);
  if (goal === 0) return null;
  let best: (BusySpan & { amount: number }) | null = null;
  let [first, amount] = [0, 0];
  for (const [last, value] of values.entries()) {
    amount += value;
    while (amount - values[first]! >= goal) amount -= values[first++]!;
    const isShorter = best === null || last - first < best.last - best.first;
    const isAsShort = best !== null && last - first === best.last - best.first;
    if (amount >= goal && (isShorter || (isAsShort && amount > best!.amount))) best = { first, last, amount };
  }
  const lowest = (MIN_NEIGHBOR_SHARE * best!.amount) / (best!.last - best!.first + 1);
  const isHigh = (index: number): boolean => (values[index] ?? 0) >= lowest;
  const span = { first: best!.first, last: best!.last };
  while (isHigh(span.first - 1)) span.first -= 1;
  while (isHigh(span.last + 1)) span.last += 1;
  return span.last - span.first + 1 > MAX_LENGTH_SHARE * values.length ? null : span;
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Formats a span for a sentence, such as "between 12:00 and 15:00 on Nov 30", "between 22:00 on Nov 30 and 01:00 on
 * Dec 1" or "from Nov 28 to Nov 30".
 */
export function formatBusySpan({ first, last }: BusySpan, starts: readonly string[], times: ChartTimes): string {
  const from = starts[first]!;
  const end = getItemEnd(starts[last]!, times);
  const isDaily = isDailyOrLonger(times.bucket);
  const format = (time: string | number, options: Intl.DateTimeFormatOptions): string =>
    formatTime(new Date(time).toISOString(), isDaily ? times.projectZone : times.timeZone, options);
  const [firstDay, lastDay] = [from, end - 1].map((time) => format(time, { day: 'numeric', month: 'short' }));
  if (isDaily) return firstDay === lastDay ? `on ${firstDay}` : `from ${firstDay} to ${lastDay}`;
  const [start, stop] = [from, end].map((time) => format(time, { hour: '2-digit', minute: '2-digit' }));
  return firstDay === lastDay
    ? `between ${start} and ${stop} on ${firstDay}`
    : `between ${start} on ${firstDay} and ${stop} on ${format(end, { day: 'numeric', month: 'short' })}`;
}
