import { splitAtItems, type ItemRange, type RollupRanges } from './rollups.js';
import type { TimeRange } from './time-range.js';

const DAY_MS = 86_400_000;

/** What the items of a series are summed from. */
interface DividedRanges {
  /** Whole days (UTC), each in the item that has most of it. */
  days: ItemRange[];
  /** Read by quarters. */
  added: ItemRange[];
  /** The same, for what an item has too much of. */
  taken: ItemRange[];
}

/**
 * Splits ranges where items begin, as {@link splitAtItems} does, but reads days whole that items divide: what is not of the
 * item that has most of the day is taken away from it. So of days that begin an hour before those of UTC an hour each
 * is read by quarters, instead of all 24.
 */
export function divideDays({ days, hours, quarters }: RollupRanges, starts: readonly number[]): DividedRanges {
  const rest = [...hours, ...quarters].toSorted((one, other) => one.from - other.from);
  const divided: DividedRanges = { days: [], added: splitAtItems(rest, starts), taken: [] };
  const byDay = Map.groupBy(splitAtItems(days.flatMap(eachDay), starts), ({ from }) => Math.floor(from / DAY_MS));
  for (const [day, parts] of byDay) {
    const [most, ...others] = parts.toSorted((one, other) => other.to - other.from - (one.to - one.from));
    const [whole, last] = [{ item: most!.item, from: day * DAY_MS, to: (day + 1) * DAY_MS }, divided.days.at(-1)];
    if (last?.item === whole.item && last.to === whole.from) last.to = whole.to;
    else divided.days.push(whole);
    divided.added.push(...others);
    divided.taken.push(...others.map((part) => ({ ...part, item: most!.item })));
  }
  return divided;
}

const eachDay = ({ from, to }: TimeRange): TimeRange[] =>
  Array.from({ length: (to - from) / DAY_MS }, (_, index) => {
    const day = from + index * DAY_MS;
    return { from: day, to: day + DAY_MS };
  });
