import type { Overview } from '../api/statistics.js';
import type { ChartItem, ChartSeries } from './chart.js';

const MAX_TYPE_SERIES = 7;
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
 * Returns visits by the seven most frequent agent types, and the sum for all other types.
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
  // Types that occur only in the comparison range rank last, but are still included.
  const visitSums = new Map<string, number>(
    previous.flatMap(({ by_type: byType }) =>
      Object.keys(byType)
        .filter((type) => type !== UNKNOWN_VISITOR_TYPE)
        .map((type) => [type, 0] as const),
    ),
  );
  for (const [type, visits] of sumVisitsByType(series)) visitSums.set(type, visits);
  const ranked = [...visitSums.keys()].toSorted(
    (one, other) => visitSums.get(other)! - visitSums.get(one)! || (one < other ? -1 : 1),
  );
  const topTypes = ranked.slice(0, MAX_TYPE_SERIES);
  const keysByType = new Map(topTypes.map((type, index) => [type, `type${index}`]));
  const chartSeries: ChartSeries[] = topTypes.map((type) => ({
    key: keysByType.get(type)!,
    label: type,
    color: getTypeColor(type, types),
  }));
  if (ranked.length > topTypes.length)
    chartSeries.push({ key: OTHER_SERIES, label: 'Other types', color: OTHER_COLOR });
  if (hasUnknown) chartSeries.push({ key: UNKNOWN_SERIES, label: 'Unknown visitors', color: 'var(--kind-unknown)' });
  const toItem = ({ time, by_type: byType }: Overview['series'][number]): ChartItem => {
    const values: Record<string, number> = Object.fromEntries(chartSeries.map(({ key }) => [key, 0]));
    for (const [type, visits] of Object.entries(byType)) {
      const key = type === UNKNOWN_VISITOR_TYPE ? UNKNOWN_SERIES : (keysByType.get(type) ?? OTHER_SERIES);
      if (key in values) values[key]! += visits;
    }
    return { time, values };
  };
  return { series: chartSeries, items: series.map(toItem), previous: previous.map(toItem) };
}
