import type { Overview } from '../api/statistics.js';
import type { ChartItem, ChartSeries } from './chart.js';

/** Maximum number of types with their own series. */
const MAX_TYPES = 7;
/** Keys of the series for all other types and for unknown visitors. */
export const OTHER_SERIES = 'other';
export const UNKNOWN_SERIES = 'unknown';
const OTHER_COLOR = 'var(--kind-other)';
/** Key in `by_type` for visitors that match no agent in the catalog. */
const NOBODY = '';

/** Types unknown to this release share the color of the other types. */
const colorOf = (type: string, types: readonly string[]): string =>
  types.includes(type) ? `var(--kind-${types.indexOf(type) + 1})` : OTHER_COLOR;

export function visitsByType(series: Overview['series']): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { by_type: byType } of series) {
    for (const [type, visits] of Object.entries(byType)) {
      if (type !== NOBODY) sums.set(type, (sums.get(type) ?? 0) + visits);
    }
  }
  return sums;
}

/**
 * Returns the visits of the seven most frequent types of agents, and the sum of all other types.
 *
 * @param types All types, in the order of their colors.
 * @param hasUnknown Adds a series for unknown visitors.
 * @param previous Visits in the comparison range. They are returned with the same series keys.
 */
export function typeSeries(
  series: Overview['series'],
  types: readonly string[],
  hasUnknown: boolean,
  previous: Overview['previous_series'] = [],
): { series: ChartSeries[]; items: ChartItem[]; previous: ChartItem[] } {
  // Types that occur only in the comparison range rank last, so they can still be compared.
  const sums = new Map<string, number>(
    previous.flatMap(({ by_type: byType }) =>
      Object.keys(byType)
        .filter((type) => type !== NOBODY)
        .map((type) => [type, 0] as const),
    ),
  );
  for (const [type, visits] of visitsByType(series)) sums.set(type, visits);
  const ranked = [...sums.keys()].toSorted((one, other) => sums.get(other)! - sums.get(one)! || (one < other ? -1 : 1));
  const own = ranked.slice(0, MAX_TYPES);
  const keyOf = new Map(own.map((type, index) => [type, `type${index}`]));
  const shown: ChartSeries[] = own.map((type) => ({
    key: keyOf.get(type)!,
    label: type,
    color: colorOf(type, types),
  }));
  if (ranked.length > own.length) shown.push({ key: OTHER_SERIES, label: 'Other types', color: OTHER_COLOR });
  if (hasUnknown) shown.push({ key: UNKNOWN_SERIES, label: 'Unknown visitors', color: 'var(--kind-unknown)' });
  const itemOf = ({ time, by_type: byType }: Overview['series'][number]): ChartItem => {
    const values: Record<string, number> = Object.fromEntries(shown.map(({ key }) => [key, 0]));
    for (const [type, visits] of Object.entries(byType)) {
      const key = type === NOBODY ? UNKNOWN_SERIES : (keyOf.get(type) ?? OTHER_SERIES);
      if (key in values) values[key]! += visits;
    }
    return { time, values };
  };
  return { series: shown, items: series.map(itemOf), previous: previous.map(itemOf) };
}
