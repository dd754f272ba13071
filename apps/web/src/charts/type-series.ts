import type { AgentType } from '#libs/contracts';
import type { Overview } from '../api/statistics.js';
import type { ChartItem, ChartSeries } from './chart.js';

/** Types with their own series, from bottom to top. The same ones in every range, so that colors are recognized. */
const NAMED_TYPES: readonly string[] = [
  'AI Data Scraper',
  'AI Search Crawler',
  'AI Assistant',
  'AI Agent',
  'AI Coding Agent',
  'Search Engine Crawler',
  'SEO Crawler',
] satisfies AgentType[];
/** Series key for agent types without their own series. */
export const OTHER_SERIES = 'other';
export const UNKNOWN_SERIES = 'unknown';
const OTHER_COLOR = 'var(--kind-other)';
/** Key in `by_type` for visitors that don't match any agent in the catalog. */
const UNKNOWN_VISITOR_TYPE = '';

/** Returns a type's color. Types that this release doesn't know share the color for other types. */
const getTypeColor = (type: string, types: readonly string[]): string =>
  types.includes(type) ? `var(--kind-${types.indexOf(type) + 1})` : OTHER_COLOR;

export function sumVisitsByType(series: Overview['series']): Map<string, number> {
  const visitSums = new Map<string, number>();
  for (const { by_type: byType } of series) {
    for (const [type, visits] of Object.entries(byType)) {
      if (type !== UNKNOWN_VISITOR_TYPE) visitSums.set(type, (visitSums.get(type) ?? 0) + visits);
    }
  }
  return visitSums;
}

/**
 * Returns visits by agent type. If several other types than the named ones occur, they share a series.
 *
 * @param types All agent types, in color order.
 * @param hasUnknown Adds a series for unknown visitors.
 * @param previous Visits in the comparison range, which are returned with the same series keys.
 */
export function buildTypeSeries(
  series: Overview['series'],
  types: readonly string[],
  hasUnknown: boolean,
  previous: Overview['previous_series'] = [],
): { series: ChartSeries[]; items: ChartItem[]; previous: ChartItem[] } {
  const occurring = new Set([series, previous].flatMap((items) => [...sumVisitsByType(items).keys()]));
  const others = [...occurring].filter((type) => !NAMED_TYPES.includes(type));
  const named = [...NAMED_TYPES.filter((type) => occurring.has(type)), ...(others.length === 1 ? others : [])];
  const chartSeries: ChartSeries[] = named.map((type) => ({
    key: type,
    label: type,
    color: getTypeColor(type, types),
  }));
  if (others.length > 1) chartSeries.push({ key: OTHER_SERIES, label: 'Other types', color: OTHER_COLOR });
  if (hasUnknown) chartSeries.push({ key: UNKNOWN_SERIES, label: 'Unknown visitors', color: 'var(--kind-unknown)' });
  const toItem = ({ time, by_type: byType }: Overview['series'][number]): ChartItem => {
    const values: Record<string, number> = Object.fromEntries(chartSeries.map(({ key }) => [key, 0]));
    for (const [type, visits] of Object.entries(byType)) {
      const key = type === UNKNOWN_VISITOR_TYPE ? UNKNOWN_SERIES : named.includes(type) ? type : OTHER_SERIES;
      if (key in values) values[key]! += visits;
    }
    return { time, values };
  };
  return { series: chartSeries, items: series.map(toItem), previous: previous.map(toItem) };
}
