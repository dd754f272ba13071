import { formatted } from '../format/time.js';
import { presetOf, PRESET_TEXTS, type Range, type RangeSearch } from './range.js';
import { addDays, addMonths, dayOf, daysBetween, isStartOfDay, startOfDay } from './zoned-day.js';
import { fromInput, toInput } from './zoned-input.js';

/** What a range is compared with: the one before it, the same of last year, nothing, or as long a time from an instant on. */
type Comparison = 'previous' | 'year' | 'none' | { from: string };

/** Of all there is, nothing was before. */
export function comparisonOf({ compare, ...range }: RangeSearch): Comparison {
  if (compare === 'year' || compare === 'none') return compare;
  if (compare !== undefined) return { from: compare };
  return presetOf(range) === 'all' ? 'none' : 'previous';
}

/**
 * When the range that it is compared with starts; it is as long.
 *
 * @param timeZone the project's.
 * @returns undefined where that is right before the range; "none" where there is none.
 */
export function comparedFrom(search: RangeSearch, { from, to }: Range, timeZone: string): string | undefined {
  const comparison = comparisonOf(search);
  if (comparison === 'none') return comparison;
  if (typeof comparison === 'object') return comparison.from;
  if (comparison === 'year') {
    const [day, clock] = toInput(from, timeZone).split('T') as [string, string];
    return fromInput(`${addMonths(day, -12)}T${clock}`, timeZone) ?? undefined;
  }
  const before = (days: number): string => startOfDay(addDays(dayOf(from, timeZone), -days), timeZone);
  if (presetOf(search) === 'today') return before(1);
  const isOfDays = isStartOfDay(from, timeZone) && isStartOfDay(to, timeZone);
  return isOfDays ? before(daysBetween(dayOf(from, timeZone), dayOf(to, timeZone))) : undefined;
}

/** What it is compared with, as "the 24 hours before"; null for nothing. */
export function beforeText(search: RangeSearch, timeZone: string): string | null {
  const comparison = comparisonOf(search);
  if (comparison === 'none') return null;
  if (comparison === 'year') return 'the same period last year';
  if (typeof comparison === 'object') return `the period from ${startText(comparison.from, timeZone)}`;
  const preset = presetOf(search);
  return preset === null ? 'the previous period' : PRESET_TEXTS[preset].before;
}

/** As "1 Jan 2026, 00:00". */
export const startText = (from: string, timeZone: string): string =>
  formatted(from, timeZone, { dateStyle: 'medium', timeStyle: 'short' });
