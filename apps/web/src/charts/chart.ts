import type { Range } from '../range/range.js';
import type { ChartTimes } from './chart-times.js';

/** Height in pixels. */
export const CHART_HEIGHT = 260;

export const COMPARISON_COLOR = 'var(--mantine-color-text)';

export interface ChartSeries {
  key: string;
  label: string;
  color: string;
  /** Filters the page by this series, or excludes it. */
  onFilter?: (isExcluded: boolean) => void;
}

export interface ChartItem {
  /** Start time. */
  time: string;
  /** Visits by series key. */
  values: Record<string, number>;
}

/** Total visits in the comparison range. Items are matched by index, not by time. */
export interface ChartComparison {
  /** Label such as "The 24 hours before". */
  label: string;
  items: readonly { time: string; visits: number }[];
}

/** Visits per series in the comparison range. The chart shows the total of the visible series. */
export interface ComparedSeries {
  label: string;
  items: readonly ChartItem[];
}

export interface TimeChartProps {
  /** Title such as "Visits by type of agent". */
  title: string;
  /** From bottom to top. */
  series: readonly ChartSeries[];
  items: readonly ChartItem[];
  comparison?: ChartComparison | undefined;
  times: ChartTimes;
  range: Range;
  /** Zooms in on part of the range. If omitted, zooming is disabled. */
  onNarrow?: ((range: Range) => void) | undefined;
  isTable: boolean;
}

/** @param before Name of the comparison range, such as "the 24 hours before", or null for no comparison. */
export const chartComparison = (before: string | null, items: ComparedSeries['items']): ComparedSeries | undefined =>
  before === null ? undefined : { label: before.charAt(0).toUpperCase() + before.slice(1), items };

export const totalOf = (series: readonly ChartSeries[], { values }: ChartItem): number =>
  series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0);
