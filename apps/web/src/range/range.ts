import { MAX_RANGE_DAYS } from '../api/constants.js';
import { addDays, addMonths, toDay, daysBetween, isStartOfDay, startOfDay } from './zoned-day.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Resolution of the server's counts. */
const QUARTER_HOUR_MS = 900_000;

/** Relative ranges. Days start at midnight in the project's time zone. */
export const PRESETS = ['1h', 'today', 'yesterday', '24h', '7d', '30d', '90d', '12mo', 'all'] as const;
export type Preset = (typeof PRESETS)[number];

/** Preset labels, and names of their comparison ranges for use in sentences. */
export const PRESET_TEXTS: Record<Preset, { label: string; before: string }> = {
  '1h': { label: '1 h', before: 'the hour before' },
  today: { label: 'Today', before: 'yesterday up to the same time' },
  yesterday: { label: 'Yesterday', before: 'the day before' },
  '24h': { label: '24 h', before: 'the 24 hours before' },
  '7d': { label: '7 d', before: 'the 7 days before' },
  '30d': { label: '30 d', before: 'the 30 days before' },
  '90d': { label: '90 d', before: 'the 90 days before' },
  '12mo': { label: '12 mo', before: 'the 12 months before' },
  all: { label: 'All', before: 'the previous period' },
};
const DEFAULT_PRESET: Preset = '24h';

/** Number of days in the presets that consist of whole days and end with today. */
const PRESET_DAYS: Partial<Record<Preset, number>> = { today: 1, '7d': 7, '30d': 30, '90d': 90 };

/** Returns the number of days in a preset of whole days that ends with today, or null for other ranges. */
export const getPresetDays = (search: RangeSearch): number | null => PRESET_DAYS[getPreset(search) ?? 'all'] ?? null;

/** URL search parameters for a range. Default: the last 24 hours. */
export interface RangeSearch {
  range?: Preset;
  /** Start in ISO 8601, set together with `to`. Takes precedence over `range`. */
  from?: string;
  to?: string;
  /** "year", "none", or the start of the comparison range in ISO 8601. Default: the previous range. */
  compare?: string;
  /** Shows times in the browser's time zone instead of the project's. */
  zone?: 'browser';
  /** True to show charts as tables. */
  table?: true;
}

/** Start and exclusive end, in ISO 8601 (UTC). */
export interface Range {
  from: string;
  to: string;
}

interface RangeMoment {
  /** Milliseconds since the epoch. */
  now: number;
  /** Project time zone, which determines when days start. */
  timeZone: string;
  /** Time of the project's first visit, or null if it has no visits. */
  firstVisitAt?: string | null;
}

interface ShownMoment extends Pick<RangeMoment, 'now' | 'timeZone'> {
  shown: Range;
}

/** Parses URL search parameters and ignores invalid ones. */
export function parseRangeSearch(search: Record<string, unknown>): RangeSearch {
  const { range, from, to, compare, zone, table } = search;
  const preset = parsePreset(range);
  const comparison = parseComparison(compare);
  const custom = parseInstants(from, to);
  return {
    ...(custom ?? (preset !== undefined && preset !== DEFAULT_PRESET && { range: preset })),
    ...(comparison !== undefined && { compare: comparison }),
    ...(zone === 'browser' && { zone }),
    ...((table === true || table === 'true') && { table: true as const }),
  };
}

function parseComparison(compare: unknown): string | undefined {
  if (compare === 'year' || compare === 'none') return compare;
  const start = typeof compare === 'string' ? Date.parse(compare) : NaN;
  return Number.isNaN(start) ? undefined : new Date(start).toISOString();
}

const parsePreset = (range: unknown): Preset | undefined => PRESETS.find((preset) => preset === range);

/** @returns Null unless both values are valid instants in ascending order. */
function parseInstants(from: unknown, to: unknown): Range | null {
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return start < end ? { from: new Date(start).toISOString(), to: new Date(end).toISOString() } : null;
}

export const getPreset = ({ range, from }: RangeSearch): Preset | null =>
  from === undefined ? (range ?? DEFAULT_PRESET) : null;

/** Range for use in links: absolute or a preset, plus the selected comparison. */
export type LinkedRange = (Range | { range: Preset }) & Pick<RangeSearch, 'compare'>;

/** Returns the range for use in links. Presets stay relative, and the default preset is explicit. */
export function linkedRange(search: RangeSearch, { from, to }: Range): LinkedRange {
  const preset = getPreset(search);
  const { compare } = search;
  return { ...(preset === null ? { from, to } : { range: preset }), ...(compare !== undefined && { compare }) };
}

/**
 * Resolves a range to instants. A range that ends now includes the entire current quarter hour, so responses can be
 * cached until the next one.
 */
export function resolveRange(search: RangeSearch, { now, timeZone, firstVisitAt = null }: RangeMoment): Range {
  const { from, to } = search;
  if (from !== undefined && to !== undefined) return { from, to };
  const end = endOfQuarterHour(now);
  const untilNow = (start: number): Range => ({ from: toIso(start), to: toIso(end) });
  const today = toDay(toIso(now), timeZone);
  const dayStart = (day: string): string => startOfDay(day, timeZone);
  const days = getPresetDays(search);
  if (days !== null) return { from: dayStart(addDays(today, 1 - days)), to: toIso(end) };
  switch (getPreset(search)) {
    case 'yesterday':
      return { from: dayStart(addDays(today, -1)), to: dayStart(today) };
    case '12mo':
      return { from: dayStart(addMonths(today, -12)), to: toIso(end) };
    case 'all':
      // The range covers at least a day, even if the project has no visits or its first visit is in the future, because
      // a client's clock is ahead.
      return untilNow(
        Math.max(
          Math.min(Date.parse(firstVisitAt ?? toIso(end - DAY_MS)), end - DAY_MS),
          end - MAX_RANGE_DAYS * DAY_MS,
        ),
      );
    case '1h':
      return untilNow(end - HOUR_MS);
    default:
      return untilNow(end - DAY_MS);
  }
}

/**
 * Returns the range immediately before (-1) or after (1) the shown one. It has the same length, or the same number of
 * days if the shown range covers whole days.
 * @returns Null if the range would be in the future or the preset is "all".
 */
export function getNeighborRange(
  search: RangeSearch,
  direction: -1 | 1,
  { shown, now, timeZone }: ShownMoment,
): Range | null {
  const preset = getPreset(search);
  if (preset === 'all') return null;
  // Today isn't over yet, but the ranges before and after it are whole days.
  const { from, to } = getPresetDays(search) === null ? shown : { ...shown, to: startOfTomorrow(now, timeZone) };
  if (isStartOfDay(from, timeZone) && isStartOfDay(to, timeZone)) {
    if (direction === 1 && Date.parse(to) > now) return null;
    const [first, end] = [toDay(from, timeZone), toDay(to, timeZone)];
    const shift = direction * daysBetween(first, end);
    const [newFrom, newTo] = [first, end].map((day) => startOfDay(addDays(day, shift), timeZone)) as [string, string];
    return { from: newFrom, to: newTo };
  }
  const [start, end, currentEnd] = [Date.parse(from), Date.parse(to), endOfQuarterHour(now)];
  if (direction === 1 && end >= currentEnd) return null;
  const length = end - start;
  const newEnd = direction === 1 ? Math.min(end + length, currentEnd) : start;
  return { from: toIso(newEnd - length), to: toIso(newEnd) };
}

const startOfTomorrow = (now: number, timeZone: string): string =>
  startOfDay(addDays(toDay(toIso(now), timeZone), 1), timeZone);

const endOfQuarterHour = (time: number): number => Math.ceil((time + 1) / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;

const toIso = (time: number): string => new Date(time).toISOString();
