import type { Bucket } from '../api/statistics.js';
import { formatTime, formatDayRange } from '../format/time.js';
import { addDays, addMonths, toDay, startOfDay } from '../range/zoned-day.js';

const BUCKET_MINUTES = { '15m': 15, '1h': 60 } as const;

/** Item length and time zones of a chart. */
export interface ChartTimes {
  bucket: Bucket;
  /** Time zone that determines when each day starts. */
  projectZone: string;
  /** Time zone in which times of day are displayed. */
  timeZone: string;
}

const TICK_INTERVALS_MINUTES = [15, 30, 60, 120, 180, 360, 720, 1_440];
const MAX_TICKS = 9;

const formatClock = (time: string, timeZone: string): string =>
  formatTime(time, timeZone, { hour: '2-digit', minute: '2-digit' });

/** Returns true for buckets of a day or longer. These follow the project's time zone, not the display time zone. */
export const isDailyOrLonger = (bucket: Bucket): bucket is Exclude<Bucket, keyof typeof BUCKET_MINUTES> =>
  !(bucket in BUCKET_MINUTES);

/** Returns the start times to label on the axis: all of them if items are days or longer, otherwise the round ones. */
export function selectTicks(starts: readonly string[], { bucket, timeZone }: ChartTimes): string[] {
  if (isDailyOrLonger(bucket)) return [...starts];
  const minutes = starts.map((time) => {
    const [hour, minute] = formatClock(time, timeZone).split(':').map(Number) as [number, number];
    return 60 * hour + minute;
  });
  const selectEvery = (step: number): string[] => starts.filter((_, index) => minutes[index]! % step === 0);
  const ticks =
    TICK_INTERVALS_MINUTES.map(selectEvery).find(({ length }) => length <= MAX_TICKS) ??
    selectEvery(TICK_INTERVALS_MINUTES.at(-1)!);
  // In zones such as UTC+05:45, items may not start at round times.
  return ticks.length < 2 ? [...starts] : ticks;
}

export function formatTick(time: string, { bucket, projectZone, timeZone }: ChartTimes): string {
  if (bucket === '1mo') return formatTime(time, projectZone, { month: 'short', year: 'numeric' });
  if (isDailyOrLonger(bucket)) return formatTime(time, projectZone, { day: 'numeric', month: 'short' });
  const clock = formatClock(time, timeZone);
  const weekday = formatTime(time, timeZone, { weekday: 'short' });
  // Combined here, because in some locales the weekday would be last.
  if (clock === '00:00') return `${weekday} ${formatTime(time, timeZone, { day: 'numeric' })}`;
  return bucket === '1h' ? `${weekday} ${clock}` : clock;
}

/** Returns the end of a full item in milliseconds since the epoch. */
export function getItemEnd(time: string, { bucket, projectZone }: ChartTimes): number {
  if (!isDailyOrLonger(bucket)) return Date.parse(time) + BUCKET_MINUTES[bucket] * 60_000;
  const day = toDay(time, projectZone);
  const next = bucket === '1mo' ? addMonths(day, 1) : addDays(day, bucket === '1w' ? 7 : 1);
  return Date.parse(startOfDay(next, projectZone));
}

/**
 * Returns an item's full label, such as "Sat, Nov 21, 2026, 18:30 – 18:45", "Nov 16 – 22, 2026" or "November 2026".
 */
export function formatItemTime(time: string, times: ChartTimes): string {
  const { bucket, projectZone, timeZone } = times;
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  if (bucket === '1mo') return formatTime(time, projectZone, { month: 'long', year: 'numeric' });
  if (bucket === '1w') {
    const sunday = startOfDay(addDays(toDay(time, projectZone), 6), projectZone);
    return formatDayRange(time, sunday, projectZone);
  }
  if (bucket === '1d') return formatTime(time, projectZone, day);
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  const end = new Date(Date.parse(time) + BUCKET_MINUTES[bucket] * 60_000).toISOString();
  return `${formatTime(time, timeZone, { ...day, ...clock })} – ${formatTime(end, timeZone, clock)}`;
}
