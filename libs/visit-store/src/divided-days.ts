import { splitAtItems, type ItemRange, type RollupRanges } from './rollups.js';
import type { TimeRange } from './time-range.js';

const DAY_MS = 86_400_000;

interface DividedRanges {
  /** Full UTC days. If a day belongs to several items, it is assigned to the one that covers most of it. */
  days: ItemRange[];
  /** Ranges to add that don't form a full day. */
  added: ItemRange[];
  /** Ranges to subtract, because they are included in a full day but belong to another item. */
  taken: ItemRange[];
}

/**
 * Like {@link splitAtItems}, but doesn't split days. A day that spans several items is first added in full to the item
 * that covers most of it. The hours outside that item are then subtracted from it and added to the other items. If
 * items start an hour before UTC midnight, this reads one hour per day instead of 24.
 */
export function divideDays({ days, hours, quarters }: RollupRanges, starts: readonly number[]): DividedRanges {
  const rest = [...hours, ...quarters].toSorted((one, other) => one.from - other.from);
  const divided: DividedRanges = { days: [], added: splitAtItems(rest, starts), taken: [] };
  const byDay = Map.groupBy(splitAtItems(days.flatMap(splitIntoDays), starts), ({ from }) => Math.floor(from / DAY_MS));
  for (const [day, parts] of byDay) {
    const [largestPart, ...otherParts] = parts.toSorted((one, other) => other.to - other.from - (one.to - one.from));
    const [fullDay, last] = [
      { item: largestPart!.item, from: day * DAY_MS, to: (day + 1) * DAY_MS },
      divided.days.at(-1),
    ];
    if (last?.item === fullDay.item && last.to === fullDay.from) last.to = fullDay.to;
    else divided.days.push(fullDay);
    divided.added.push(...otherParts);
    divided.taken.push(...otherParts.map((part) => ({ ...part, item: largestPart!.item })));
  }
  return divided;
}

const splitIntoDays = ({ from, to }: TimeRange): TimeRange[] =>
  Array.from({ length: (to - from) / DAY_MS }, (_, index) => {
    const day = from + index * DAY_MS;
    return { from: day, to: day + DAY_MS };
  });
