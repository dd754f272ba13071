import { formatTime } from '../format/time.js';
import type { ChartItem, TimeChartProps } from './chart.js';

const HOUR_MS = 3_600_000;
/** Shorter ranges stay as detailed as they are. */
const MIN_ITEMS = 48;

type MergedProps = Pick<TimeChartProps, 'items' | 'times'> & {
  comparison?: { label: string; items: readonly ChartItem[] } | undefined;
};

/** Combines quarter-hours into hours, because the chart of a long range would have too many bars. */
export function mergeQuarterHours<T extends MergedProps>(props: T): T {
  const { items, comparison, times } = props;
  const startsOffHour = (time: string): boolean =>
    formatTime(toHour(time), times.timeZone, { minute: 'numeric' }) !== '0';
  if (times.bucket !== '15m' || items.length < MIN_ITEMS || startsOffHour(items[0]!.time)) return props;
  const hours = items.map(({ time }) => toHour(time));
  return {
    ...props,
    times: { ...times, bucket: '1h' },
    items: merge(items, hours),
    ...(comparison && { comparison: { ...comparison, items: merge(comparison.items, hours) } }),
  };
}

const toHour = (time: string): string => new Date(Math.floor(Date.parse(time) / HOUR_MS) * HOUR_MS).toISOString();

/** Sums up the items of each hour. Items are matched with hours by index. */
function merge(items: readonly ChartItem[], hours: readonly string[]): ChartItem[] {
  const groups = Map.groupBy(items.slice(0, hours.length), (_, index) => hours[index]!);
  return [...groups.values()].map((group) => ({
    time: toHour(group[0]!.time),
    values: group.reduce<Record<string, number>>((sums, { values }) => {
      for (const [key, value] of Object.entries(values)) sums[key] = (sums[key] ?? 0) + value;
      return sums;
    }, {}),
  }));
}
