import type { Project } from '../../api/client.js';
import type { LoadSeries } from '../../api/load.js';
import { formatBusySpan, sum } from '../../charts/busy-span.js';
import { isDailyOrLonger, type ChartTimes } from '../../charts/chart-times.js';
import { mergeQuarterHours } from '../../charts/merge-quarter-hours.js';
import { toSelectedRange } from '../../charts/selected-range.js';
import { findBusyTime } from './busy-times.js';
import { MEASURES, type LoadAmounts } from './measures.js';
import type { Measure } from './search.js';

/** Maximum height of the other bars, compared with the highest one, for which that one makes the chart unreadable. */
const MAX_OTHER_HEIGHT = 1 / 3;

interface BusyHoursInput {
  project: Project;
  measure: Measure;
  load: LoadSeries;
  times: Omit<ChartTimes, 'bucket'>;
}

/** Finds a short time that caused much of the load, with its range in words and for links. */
export function findBusyHours({ project, measure, load, times }: BusyHoursInput) {
  const chart = mergeQuarterHours({
    items: load.series.map(({ time, requests, bytes, server_time_ms }) => ({
      time,
      values: { requests, bytes: bytes ?? 0, server_time_ms: server_time_ms ?? 0 },
    })),
    times: { ...times, bucket: load.bucket },
  });
  const series = chart.items.map(({ values }) => values as unknown as LoadAmounts);
  const getValue = (item: LoadAmounts): number => MEASURES[measure].value(item, project) ?? 0;
  const busyTime = findBusyTime(series, getValue, isDailyOrLonger(load.bucket));
  if (busyTime === null) return null;
  const { span } = busyTime;
  const isInSpan = (index: number): boolean => index >= span.first && index <= span.last;
  const starts = chart.items.map(({ time }) => time);
  const busy = series.filter((_, index) => isInSpan(index));
  const others = series.filter((_, index) => !isInSpan(index));
  return {
    ...busyTime,
    requests: sum(busy.map((item) => item.requests)),
    range: toSelectedRange(starts, span.first, span.last, load),
    when: formatBusySpan(span, starts, chart.times),
    hidesOthers: Math.max(...others.map(getValue)) <= MAX_OTHER_HEIGHT * Math.max(...busy.map(getValue)),
  };
}

export type BusyHours = NonNullable<ReturnType<typeof findBusyHours>>;
