import { MAX_DAYS_OF_RANGE } from '../api/constants.js';
import { addDays, addMonths, dayOf, daysBetween, isStartOfDay, startOfDay } from './zoned-day.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What the server counts by. */
const QUARTER_HOUR_MS = 900_000;

/** Ranges that end now, or begin and end with a day of the project. */
export const PRESETS = ['1h', 'today', 'yesterday', '24h', '7d', '30d', '90d', '12mo', 'all'] as const;
export type Preset = (typeof PRESETS)[number];

/** Of each: what it is called alone, and what comes before it within a sentence. */
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

/** Lengths of those that end now, in milliseconds. */
const LENGTHS = {
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
} as const;

/** The range of a page, as its address says; with none of it, the last 24 hours. */
export interface RangeSearch {
  range?: Preset;
  /** ISO 8601, both or neither; they go before `range`. */
  from?: string;
  to?: string;
  /** What it is compared with: "year", "none", or an instant, ISO 8601; without, the period before. */
  compare?: string;
  /** Times are shown in the zone of the browser, rather than in the project's. */
  zone?: 'browser';
  /** Charts are shown as tables. */
  table?: true;
}

/** Two instants, ISO 8601 in UTC; the end is exclusive. */
export interface Range {
  from: string;
  to: string;
}

/** When a relative range is looked at, and of what. */
interface RangeMoment {
  /** Milliseconds since the epoch. */
  now: number;
  /** The project's, in which days begin. */
  timeZone: string;
  /** When the project's first visit was; null without one. */
  firstVisitAt?: string | null;
}

/** What a relative range means at a moment. */
interface ShownMoment extends Pick<RangeMoment, 'now' | 'timeZone'> {
  shown: Range;
}

/** Reads an address; what does not fit is left out. */
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

/** @returns null for anything that is not a range. */
function readInstants(from: unknown, to: unknown): Range | null {
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return start < end ? { from: new Date(start).toISOString(), to: new Date(end).toISOString() } : null;
}

export const presetOf = ({ range, from }: RangeSearch): Preset | null =>
  from === undefined ? (range ?? DEFAULT) : null;

/** A range, or one that stays relative to the time of looking, and what it is compared with. */
export type LinkedRange = (Range | { range: Preset }) & Pick<RangeSearch, 'compare'>;

/** What a link leads to: a relative range stays relative, also the one that an address need not name. */
export function linkedRange(search: RangeSearch, { from, to }: Range): LinkedRange {
  const preset = presetOf(search);
  const { compare } = search;
  return { ...(preset === null ? { from, to } : { range: preset }), ...(compare !== undefined && { compare }) };
}

/** From when to when: what ends now ends with the quarter of an hour under way, so that an answer is good for a while. */
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
      // Without a visit there is nothing to see; clocks may be ahead of ours.
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
 * The range of the same length right before (-1) or after (1) another one; of whole days, as many days.
 *
 * @returns null where there is none: after the present, and of all there is.
 */
export function neighborOf(
  search: RangeSearch,
  direction: -1 | 1,
  { shown, now, timeZone }: ShownMoment,
): Range | null {
  const preset = presetOf(search);
  if (preset === 'all') return null;
  // What is left of today belongs to it.
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
