import { formatted } from '../format/time.js';
import { presetOf, PRESET_TEXTS, type Range, type RangeSearch } from './range.js';
import { addDays, addMonths, dayOf, daysBetween, isStartOfDay, startOfDay } from './zoned-day.js';
import { fromInput, toInput } from './zoned-input.js';

/** Comparison range: previous, same range last year, none, or of the same length from an instant. */
type Comparison = 'previous' | 'year' | 'none' | { from: string };

/** Returns the selected comparison. Default: the previous range, or none for the preset "all". */
export function comparisonOf({ compare, ...range }: RangeSearch): Comparison {
  if (compare === 'year' || compare === 'none') return compare;
  if (compare !== undefined) return { from: compare };
  return presetOf(range) === 'all' ? 'none' : 'previous';
}

/**
 * Returns the start of the comparison range, which is as long as the range.
 *
 * @param timeZone Time zone of the project.
 * @returns Undefined for the range right before, "none" for no comparison.
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

/** Returns the name of the comparison range, such as "the 24 hours before", or null for no comparison. */
export function beforeText(search: RangeSearch, timeZone: string): string | null {
  const comparison = comparisonOf(search);
  if (comparison === 'none') return null;
  if (comparison === 'year') return 'the same period last year';
  if (typeof comparison === 'object') return `the period from ${startText(comparison.from, timeZone)}`;
  const preset = presetOf(search);
  return preset === null ? 'the previous period' : PRESET_TEXTS[preset].before;
}

/** Returns a text such as "1 Jan 2026, 00:00". */
export const startText = (from: string, timeZone: string): string =>
  formatted(from, timeZone, { dateStyle: 'medium', timeStyle: 'short' });
