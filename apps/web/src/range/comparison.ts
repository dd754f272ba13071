import { formatTime } from '../format/time.js';
import { getPreset, getPresetDays, PRESET_TEXTS, type Range, type RangeSearch } from './range.js';
import { addDays, addMonths, toDay, daysBetween, isStartOfDay, startOfDay } from './zoned-day.js';
import { fromInput, toInput } from './zoned-input.js';

/** Previous range, same range last year, no comparison, or a range of equal length that starts at `from`. */
type Comparison = 'previous' | 'year' | 'none' | { from: string };

/** Returns the selected comparison. Default: the previous range, or none for the preset "all". */
export function getComparison({ compare, ...range }: RangeSearch): Comparison {
  if (compare === 'year' || compare === 'none') return compare;
  if (compare !== undefined) return { from: compare };
  return getPreset(range) === 'all' ? 'none' : 'previous';
}

/**
 * Returns the start of the comparison range, which has the same length as the range itself.
 * @param timeZone Project time zone.
 * @returns Undefined for the range immediately before, or "none" for no comparison.
 */
export function getComparisonStart(search: RangeSearch, { from, to }: Range, timeZone: string): string | undefined {
  const comparison = getComparison(search);
  if (comparison === 'none') return comparison;
  if (typeof comparison === 'object') return comparison.from;
  if (comparison === 'year') {
    const [day, clock] = toInput(from, timeZone).split('T') as [string, string];
    return fromInput(`${addMonths(day, -12)}T${clock}`, timeZone) ?? undefined;
  }
  const daysBefore = (days: number): string => startOfDay(addDays(toDay(from, timeZone), -days), timeZone);
  const presetDays = getPresetDays(search);
  if (presetDays !== null) return daysBefore(presetDays);
  const hasWholeDays = isStartOfDay(from, timeZone) && isStartOfDay(to, timeZone);
  return hasWholeDays ? daysBefore(daysBetween(toDay(from, timeZone), toDay(to, timeZone))) : undefined;
}

/** Returns the comparison range, or null for no comparison. */
export function toComparedRange({ from, to, compareFrom }: Range & { compareFrom?: string | undefined }): Range | null {
  if (compareFrom === 'none') return null;
  const length = Date.parse(to) - Date.parse(from);
  const start = compareFrom === undefined ? Date.parse(from) - length : Date.parse(compareFrom);
  return { from: new Date(start).toISOString(), to: new Date(start + length).toISOString() };
}

/** Returns the name of the comparison range, such as "the 24 hours before", or null for no comparison. */
export function describeComparison(search: RangeSearch, timeZone: string): string | null {
  const comparison = getComparison(search);
  if (comparison === 'none') return null;
  if (comparison === 'year') return 'the same period last year';
  if (typeof comparison === 'object') return `the period starting ${formatStart(comparison.from, timeZone)}`;
  const preset = getPreset(search);
  return preset === null ? 'the previous period' : PRESET_TEXTS[preset].before;
}

/** Returns text such as "Jan 1, 2026, 00:00". */
export const formatStart = (from: string, timeZone: string): string =>
  formatTime(from, timeZone, { dateStyle: 'medium', timeStyle: 'short' });
