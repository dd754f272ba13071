import type { Bucket } from '../api/statistics.js';
import { formatted, formattedDays } from '../format/time.js';
import { addDays, dayOf, startOfDay } from '../range/zoned-day.js';

const MINUTES = { '15m': 15, '1h': 60 } as const;

/** How the items of a chart are told in time. */
export interface ChartTimes {
  bucket: Bucket;
  /** Where days begin. */
  projectZone: string;
  /** In which times of a day are shown. */
  timeZone: string;
}

/** Of ticks below the axis: there is at least this many minutes from one to the next. */
const STEPS = [15, 30, 60, 120, 180, 360, 720, 1_440];
const MAX_TICKS = 9;

const clockOf = (time: string, timeZone: string): string =>
  formatted(time, timeZone, { hour: '2-digit', minute: '2-digit' });

/** Whether the items are days, or made of days: those of the project, whatever zone times are shown in. */
export const isByDay = (bucket: Bucket): bucket is Exclude<Bucket, keyof typeof MINUTES> => !(bucket in MINUTES);

/** Which items are told below the axis: those at full hours, or at the beginnings of days. */
export function ticksOf(starts: readonly string[], { bucket, timeZone }: ChartTimes): string[] {
  if (isByDay(bucket)) return [...starts];
  const minutes = starts.map((time) => {
    const [hour, minute] = clockOf(time, timeZone).split(':').map(Number) as [number, number];
    return 60 * hour + minute;
  });
  const every = (step: number): string[] => starts.filter((_, index) => minutes[index]! % step === 0);
  const ticks = STEPS.map(every).find(({ length }) => length <= MAX_TICKS) ?? every(STEPS.at(-1)!);
  // Hours of a zone may begin at other minutes than those of the chart.
  return ticks.length < 2 ? [...starts] : ticks;
}

/** Below the axis. */
export function tickText(time: string, { bucket, projectZone, timeZone }: ChartTimes): string {
  if (bucket === '1mo') return formatted(time, projectZone, { month: 'short', year: 'numeric' });
  if (isByDay(bucket)) return formatted(time, projectZone, { day: 'numeric', month: 'short' });
  const clock = clockOf(time, timeZone);
  if (clock === '00:00') return formatted(time, timeZone, { weekday: 'short', day: 'numeric' });
  return bucket === '1h' ? `${formatted(time, timeZone, { weekday: 'short' })} ${clock}` : clock;
}

/** In full: "Sat, 21 Nov 2026, 18:30 – 18:45", "16 – 22 Nov 2026", "November 2026". */
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
