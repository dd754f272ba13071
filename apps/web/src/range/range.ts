import { MAX_DAYS_OF_RANGE } from '../api/constants.js';
import { addDays, addMonths, dayOf, daysBetween, isStartOfDay, startOfDay } from './zoned-day.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Resolution of the server's counts. */
const QUARTER_HOUR_MS = 900_000;

/** Relative ranges. Days begin in the project's time zone. */
export const PRESETS = ['1h', 'today', 'yesterday', '24h', '7d', '30d', '90d', '12mo', 'all'] as const;
export type Preset = (typeof PRESETS)[number];

/** Label of each preset, and the name of its comparison range for use in a sentence. */
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
const DEFAULT: Preset = '24h';

/** Lengths of the presets with a fixed duration, in milliseconds. */
const LENGTHS = {
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
} as const;

/** URL search parameters of a range. Default: the last 24 hours. */
export interface RangeSearch {
  range?: Preset;
  /** ISO 8601. Set together with `to`. Takes precedence over `range`. */
  from?: string;
  to?: string;
  /** "year", "none", or the start of the comparison range in ISO 8601. Default: the previous range. */
  compare?: string;
  /** Shows times in the browser's time zone instead of the project's. */
  zone?: 'browser';
  /** Shows charts as tables. */
  table?: true;
}

/** Start and exclusive end, in ISO 8601 (UTC). */
export interface Range {
  from: string;
  to: string;
}

/** Context for resolving a relative range. */
interface RangeMoment {
  /** Milliseconds since the epoch. */
  now: number;
  /** Time zone of the project, in which days begin. */
  timeZone: string;
  /** Time of the project's first visit, or null if there is none. */
  firstVisitAt?: string | null;
}

interface ShownMoment extends Pick<RangeMoment, 'now' | 'timeZone'> {
  shown: Range;
}

/** Parses URL search parameters. Invalid ones are ignored. */
export function readRange(search: Record<string, unknown>): RangeSearch {
  const { range, from, to, compare, zone, table } = search;
  const preset = readPreset(range);
  const comparison = readComparison(compare);
  const custom = readInstants(from, to);
  return {
    ...(custom ?? (preset !== undefined && preset !== DEFAULT && { range: preset })),
    ...(comparison !== undefined && { compare: comparison }),
    ...(zone === 'browser' && { zone }),
    ...((table === true || table === 'true') && { table: true as const }),
  };
}

function readComparison(compare: unknown): string | undefined {
  if (compare === 'year' || compare === 'none') return compare;
  const start = typeof compare === 'string' ? Date.parse(compare) : NaN;
  return Number.isNaN(start) ? undefined : new Date(start).toISOString();
}

const readPreset = (range: unknown): Preset | undefined => PRESETS.find((known) => known === range);

/** @returns Null unless both are instants in ascending order. */
function readInstants(from: unknown, to: unknown): Range | null {
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return start < end ? { from: new Date(start).toISOString(), to: new Date(end).toISOString() } : null;
}

export const presetOf = ({ range, from }: RangeSearch): Preset | null =>
  from === undefined ? (range ?? DEFAULT) : null;

/** Range in a link: either absolute or a preset, with the selected comparison. */
export type LinkedRange = (Range | { range: Preset }) & Pick<RangeSearch, 'compare'>;

/** Returns the range for links. Presets stay relative, and even the default preset is named. */
export function linkedRange(search: RangeSearch, { from, to }: Range): LinkedRange {
  const preset = presetOf(search);
  const { compare } = search;
  return { ...(preset === null ? { from, to } : { range: preset }), ...(compare !== undefined && { compare }) };
}

/**
 * Resolves a range to instants. A range that ends now includes the entire current quarter hour, so responses can be
 * cached until then.
 */
export function resolveRange(search: RangeSearch, { now, timeZone, firstVisitAt = null }: RangeMoment): Range {
  const { from, to } = search;
  if (from !== undefined && to !== undefined) return { from, to };
  const end = endOfQuarter(now);
  const since = (start: number): Range => ({ from: iso(start), to: iso(end) });
  const today = dayOf(iso(now), timeZone);
  const dayStart = (day: string): string => startOfDay(day, timeZone);
  const preset = presetOf(search) ?? DEFAULT;
  switch (preset) {
    case 'today':
      return { from: dayStart(today), to: iso(end) };
    case 'yesterday':
      return { from: dayStart(addDays(today, -1)), to: dayStart(today) };
    case '12mo':
      return { from: dayStart(addMonths(today, -12)), to: iso(end) };
    case 'all':
      // At least a day: there may be no visits, or the first one is in the future if a client's clock is fast.
      return since(
        Math.max(
          Math.min(Date.parse(firstVisitAt ?? iso(end - DAY_MS)), end - DAY_MS),
          end - MAX_DAYS_OF_RANGE * DAY_MS,
        ),
      );
    default:
      return since(end - LENGTHS[preset]);
  }
}

/**
 * Returns the range right before (-1) or after (1) another one. It has the same length, or the same number of days if
 * it consists of entire days.
 *
 * @returns Null if it would be in the future, and for the preset "all".
 */
export function neighborOf(
  search: RangeSearch,
  direction: -1 | 1,
  { shown, now, timeZone }: ShownMoment,
): Range | null {
  const preset = presetOf(search);
  if (preset === 'all') return null;
  // "Today" includes the rest of the day.
  const { from, to } = preset === 'today' ? { ...shown, to: nextDay(shown.from, timeZone) } : shown;
  if (isStartOfDay(from, timeZone) && isStartOfDay(to, timeZone)) {
    if (direction === 1 && Date.parse(to) > now) return null;
    const [first, end] = [dayOf(from, timeZone), dayOf(to, timeZone)];
    const shift = direction * daysBetween(first, end);
    const [newFrom, newTo] = [first, end].map((day) => startOfDay(addDays(day, shift), timeZone)) as [string, string];
    return { from: newFrom, to: newTo };
  }
  const [start, end, present] = [Date.parse(from), Date.parse(to), endOfQuarter(now)];
  if (direction === 1 && end >= present) return null;
  const length = end - start;
  const newEnd = direction === 1 ? Math.min(end + length, present) : start;
  return { from: iso(newEnd - length), to: iso(newEnd) };
}

const nextDay = (instant: string, timeZone: string): string =>
  startOfDay(addDays(dayOf(instant, timeZone), 1), timeZone);

const endOfQuarter = (time: number): number => Math.ceil((time + 1) / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;

const iso = (time: number): string => new Date(time).toISOString();
