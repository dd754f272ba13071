import type { Range } from '../range/range.js';
import type { BarSpan } from './bar-geometry.js';
import type { ChartTimes } from './chart-times.js';

export const CHART_HEIGHT_PX = 260;

/** Height of charts with only a few visits per bar. */
const LOW_CHART_HEIGHT_PX = 110;
/** Maximum number of visits per bar in such a chart. */
const MAX_LOW_COUNT = 2;

export const COMPARISON_COLOR = 'var(--mantine-color-text)';

export interface ChartSeries {
  key: string;
  label: string;
  color: string;
  /** Filters the page by this series, or excludes the series if `isExcluded` is true. */
  onFilter?: (isExcluded: boolean) => void;
}

export interface ChartItem {
  /** Start time in ISO 8601. */
  time: string;
  /** Number of visits by series key. */
  values: Record<string, number>;
}

/** Total visits in the comparison range. Items are matched by index, not by time. */
export interface ChartComparison {
  /** Label such as "The 24 hours before". */
  label: string;
  items: readonly { time: string; visits: number }[];
}

/** Visits per series in the comparison range. The chart shows the total for the visible series. */
export interface ComparedSeries {
  label: string;
  items: readonly ChartItem[];
}

export interface TimeChartProps {
  /** Title such as "Visits by agent type". */
  title: string;
  /** Series, from bottom to top. */
  series: readonly ChartSeries[];
  items: readonly ChartItem[];
  comparison?: ChartComparison | undefined;
  /** Short labels above bars, by start time. */
  marks?: Readonly<Record<string, string>>;
  times: ChartTimes;
  range: Range;
  /** Time up to which the values are unknown. These items are shown as not analyzed. */
  unknownUntil?: string | undefined;
  /** Unit of the value axis, whose labels are whole multiples of it. Default: 1. */
  unit?: number;
  /** Formats the values. Default: as counts of visits. */
  format?: ((value: number) => string) | undefined;
  /** Zooms in on part of the range. If omitted, zooming is disabled. */
  onNarrow?: ((range: Range) => void) | undefined;
  isTable: boolean;
  /** Height in pixels. Default: {@link CHART_HEIGHT_PX}. */
  height?: number | undefined;
  /** Time whose bars are cut off at the top, so that the others can be compared. */
  cut?: Range | undefined;
}

/** @param before Name of the comparison range, such as "the 24 hours before", or null for no comparison. */
export const toComparedSeries = (before: string | null, items: ComparedSeries['items']): ComparedSeries | undefined =>
  before === null ? undefined : { label: before.charAt(0).toUpperCase() + before.slice(1), items };

export const sumSeries = (series: readonly ChartSeries[], { values }: ChartItem): number =>
  series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0);

/** Returns the height of a chart. Charts of hardly any visits are low, because they have nothing to compare. */
export function getChartHeight({
  series,
  items,
  comparison,
  height = CHART_HEIGHT_PX,
  format,
}: Pick<TimeChartProps, 'series' | 'items' | 'height' | 'format'> & {
  comparison?: ComparedSeries | undefined;
}): number {
  const all = [...items, ...(comparison?.items ?? [])];
  const isLow = format === undefined && all.every((item) => sumSeries(series, item) <= MAX_LOW_COUNT);
  return isLow ? Math.min(height, LOW_CHART_HEIGHT_PX) : height;
}

/** Returns the bars of each series, stacked on those of the series before it. */
export function stackSeries(series: readonly ChartSeries[], items: readonly ChartItem[]): BarSpan[][] {
  const tops = items.map(() => 0);
  return series.map(({ key }) =>
    items.map(({ values }, index) => {
      const from = tops[index]!;
      tops[index] = from + (values[key] ?? 0);
      return { index, from, to: tops[index] };
    }),
  );
}
