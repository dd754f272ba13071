import type { Bucket } from '../api/statistics.js';
import { formatted, formattedDays } from '../format/time.js';
import { addDays, dayOf, startOfDay } from '../range/zoned-day.js';

const MINUTES = { '15m': 15, '1h': 60 } as const;

/** Length and time zones of a chart's items. */
export interface ChartTimes {
  bucket: Bucket;
  /** Time zone that determines when each day starts. */
  projectZone: string;
  /** Time zone for times of day. */
  timeZone: string;
}

/** Possible intervals between axis ticks, in minutes. */
const STEPS = [15, 30, 60, 120, 180, 360, 720, 1_440];
const MAX_TICKS = 9;

const clockOf = (time: string, timeZone: string): string =>
  formatted(time, timeZone, { hour: '2-digit', minute: '2-digit' });

/** Returns true for buckets of a day or longer. These follow the project's time zone, not the display time zone. */
export const isByDay = (bucket: Bucket): bucket is Exclude<Bucket, keyof typeof MINUTES> => !(bucket in MINUTES);

/** Selects the items that get an axis label: all for days and longer, otherwise those at round times. */
export function ticksOf(starts: readonly string[], { bucket, timeZone }: ChartTimes): string[] {
  if (isByDay(bucket)) return [...starts];
  const minutes = starts.map((time) => {
    const [hour, minute] = clockOf(time, timeZone).split(':').map(Number) as [number, number];
    return 60 * hour + minute;
  });
  const every = (step: number): string[] => starts.filter((_, index) => minutes[index]! % step === 0);
  const ticks = STEPS.map(every).find(({ length }) => length <= MAX_TICKS) ?? every(STEPS.at(-1)!);
  // In zones such as UTC+05:45, items may not start at round times.
  return ticks.length < 2 ? [...starts] : ticks;
}

export function tickText(time: string, { bucket, projectZone, timeZone }: ChartTimes): string {
  if (bucket === '1mo') return formatted(time, projectZone, { month: 'short', year: 'numeric' });
  if (isByDay(bucket)) return formatted(time, projectZone, { day: 'numeric', month: 'short' });
  const clock = clockOf(time, timeZone);
  if (clock === '00:00') return formatted(time, timeZone, { weekday: 'short', day: 'numeric' });
  return bucket === '1h' ? `${formatted(time, timeZone, { weekday: 'short' })} ${clock}` : clock;
}

/**
 * Returns the full label of an item, such as "Sat, 21 Nov 2026, 18:30 – 18:45", "16 – 22 Nov 2026" or "November 2026".
 */
export function itemText(time: string, times: ChartTimes): string {
  const { bucket, projectZone, timeZone } = times;
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  if (bucket === '1mo') return formatted(time, projectZone, { month: 'long', year: 'numeric' });
  if (bucket === '1w') {
    const sunday = startOfDay(addDays(dayOf(time, projectZone), 6), projectZone);
    return formattedDays(time, sunday, projectZone);
  }
  if (bucket === '1d') return formatted(time, projectZone, day);
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  const end = new Date(Date.parse(time) + MINUTES[bucket] * 60_000).toISOString();
  return `${formatted(time, timeZone, { ...day, ...clock })} – ${formatted(end, timeZone, clock)}`;
}
