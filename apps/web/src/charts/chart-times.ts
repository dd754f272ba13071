import type { Bucket } from '../api/statistics.js';
import { formatted } from '../shell/moment.js';

const MINUTES: Record<Exclude<Bucket, '1d'>, number> = { '15m': 15, '1h': 60 };

/** How the items of a chart are told in time. */
export interface ChartTimes {
  bucket: Bucket;
  /** Where days begin. */
  projectZone: string;
  /** In which times of a day are shown. */
  timeZone: string;
}

/** Below the axis. Days are the project's, wherever they are looked at. */
export function tickText(time: string, { bucket, projectZone, timeZone }: ChartTimes): string {
  if (bucket === '1d') return formatted(time, projectZone, { day: 'numeric', month: 'short' });
  const clock = formatted(time, timeZone, { hour: '2-digit', minute: '2-digit' });
  if (bucket === '1h') return `${formatted(time, timeZone, { weekday: 'short' })} ${clock}`;
  return clock;
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
