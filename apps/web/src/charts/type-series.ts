import type { Overview } from '../api/statistics.js';
import type { ChartItem, ChartSeries } from './chart.js';

/** Types that are shown by themselves. */
const MAX_TYPES = 7;
/** Keys of the series that are not of one type. */
export const OTHER_SERIES = 'other';
export const UNKNOWN_SERIES = 'unknown';
const OTHER_COLOR = 'var(--kind-other)';
/** Of visitors that no agent of the catalog is. */
const NOBODY = '';

/** A type that this release does not know has that of the rest. */
const colorOf = (type: string, types: readonly string[]): string =>
  types.includes(type) ? `var(--kind-${types.indexOf(type) + 1})` : OTHER_COLOR;

/**
 * The visits of the seven most frequent types of agents; the rest as one.
 *
 * @param types all there are, in the order of their colors.
 * @param hasUnknown whether those of no known agent are shown, too.
 */
export function typeSeries(
  series: Overview['series'],
  types: readonly string[],
  hasUnknown: boolean,
): { series: ChartSeries[]; items: ChartItem[] } {
  const sums = new Map<string, number>();
  for (const { by_type: byType } of series) {
    for (const [type, visits] of Object.entries(byType)) {
      if (type !== NOBODY) sums.set(type, (sums.get(type) ?? 0) + visits);
    }
  }
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
  const items = series.map(({ time, by_type: byType }): ChartItem => {
    const values: Record<string, number> = Object.fromEntries(shown.map(({ key }) => [key, 0]));
    for (const [type, visits] of Object.entries(byType)) {
      const key = type === NOBODY ? UNKNOWN_SERIES : (keyOf.get(type) ?? OTHER_SERIES);
      if (key in values) values[key]! += visits;
    }
    return { time, values };
  });
  return { series: shown, items };
}

/** The same visits in a range before, all types together. */
export const comparedItems = (series: Overview['previous_series'], hasUnknown: boolean) =>
  series.map(({ time, visits, by_type: byType }) => ({
    time,
    visits: hasUnknown ? visits : visits - (byType[NOBODY] ?? 0),
  }));
