import { splitAtItems, type ItemRange, type RollupRanges } from './rollups.js';
import type { TimeRange } from './time-range.js';

const DAY_MS = 86_400_000;

interface DividedRanges {
  /** Full UTC days, each in the item that covers most of it. */
  days: ItemRange[];
  /** Ranges to add that aren't full days. */
  added: ItemRange[];
  /** Ranges to subtract: they are part of a full day but belong to another item. */
  taken: ItemRange[];
}

/**
 * Splits ranges at the start of each item, like {@link splitAtItems}, but keeps days whole. A day that spans several
 * items is read in full for the item that covers most of it. The rest is moved to the others. If items start an hour
 * before UTC midnight, this reads one hour per day instead of 24.
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
