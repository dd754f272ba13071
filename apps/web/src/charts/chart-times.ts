import type { Bucket } from '../api/statistics.js';
import { formatted } from '../format/time.js';

const MINUTES: Record<Exclude<Bucket, '1d'>, number> = { '15m': 15, '1h': 60 };

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

/** Which items are told below the axis: those at full hours, or at the beginnings of days. */
export function ticksOf(starts: readonly string[], { bucket, timeZone }: ChartTimes): string[] {
  if (bucket === '1d') return [...starts];
  const minutes = starts.map((time) => {
    const [hour, minute] = clockOf(time, timeZone).split(':').map(Number) as [number, number];
    return 60 * hour + minute;
  });
  const every = (step: number): string[] => starts.filter((_, index) => minutes[index]! % step === 0);
  const ticks = STEPS.map(every).find(({ length }) => length <= MAX_TICKS) ?? every(STEPS.at(-1)!);
  // Hours of a zone may begin at other minutes than those of the chart.
  return ticks.length < 2 ? [...starts] : ticks;
}

/** Below the axis. Days are the project's, wherever they are looked at. */
export function tickText(time: string, { bucket, projectZone, timeZone }: ChartTimes): string {
  if (bucket === '1d') return formatted(time, projectZone, { day: 'numeric', month: 'short' });
  const clock = clockOf(time, timeZone);
  if (clock === '00:00') return formatted(time, timeZone, { weekday: 'short', day: 'numeric' });
  return bucket === '1h' ? `${formatted(time, timeZone, { weekday: 'short' })} ${clock}` : clock;
}

/** In full: "Sat, 21 Nov 2026, 18:30 – 18:45". */
export function itemText(time: string, times: ChartTimes): string {
  const { bucket, projectZone, timeZone } = times;
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  if (bucket === '1d') return formatted(time, projectZone, day);
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  const end = new Date(Date.parse(time) + MINUTES[bucket] * 60_000).toISOString();
  return `${formatted(time, timeZone, { ...day, ...clock })} – ${formatted(end, timeZone, clock)}`;
}
