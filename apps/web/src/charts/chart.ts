import type { Range } from '../range/range.js';
import type { ChartTimes } from './chart-times.js';

/** Pixels. */
export const CHART_HEIGHT = 260;

/** Of the line that a chart is compared with. */
export const COMPARISON_COLOR = 'var(--mantine-color-text)';

export interface ChartSeries {
  key: string;
  label: string;
  color: string;
  /** Filters the page by it. */
  onFilter?: (isExcluded: boolean) => void;
}

export interface ChartItem {
  /** When it begins. */
  time: string;
  /** By key of the series. */
  values: Record<string, number>;
}

/** What a chart is compared with: its first item stands beside the first of the chart. */
export interface ChartComparison {
  /** As "The 24 hours before". */
  label: string;
  items: readonly { time: string; visits: number }[];
}

/** The same before it is known which series are shown. */
export interface ComparedSeries {
  label: string;
  items: readonly ChartItem[];
}

export interface TimeChartProps {
  /** What it shows, as "Visits by type of agent". */
  title: string;
  /** From the bottom up. */
  series: readonly ChartSeries[];
  items: readonly ChartItem[];
  comparison?: ChartComparison | undefined;
  times: ChartTimes;
  range: Range;
  /** Without, no part of the range can be chosen. */
  onNarrow?: ((range: Range) => void) | undefined;
  isTable: boolean;
}

/** @param before what it is compared with, as "the 24 hours before"; null for nothing. */
export const chartComparison = (before: string | null, items: ComparedSeries['items']): ComparedSeries | undefined =>
  before === null ? undefined : { label: before.charAt(0).toUpperCase() + before.slice(1), items };

/** Of some series together. */
export const totalOf = (series: readonly ChartSeries[], { values }: ChartItem): number =>
  series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0);
