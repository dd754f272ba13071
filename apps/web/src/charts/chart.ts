import type { Range } from '../range/range.js';
import type { ChartTimes } from './chart-times.js';

/** Pixels. */
export const CHART_HEIGHT = 260;

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

export interface TimeChartProps {
  /** What it shows, as "Visits by type of agent". */
  title: string;
  /** From the bottom up. */
  series: readonly ChartSeries[];
  items: readonly ChartItem[];
  times: ChartTimes;
  range: Range;
  onNarrow: (range: Range) => void;
  isTable: boolean;
}
