import type { Overview } from '../api/statistics.js';
import type { ChartItem, ChartSeries } from './chart.js';

/** Types that have a color of their own. */
const MAX_TYPES = 7;
const OTHER = 'other';
/** Of visitors that no agent of the catalog is. */
const NOBODY = '';

const colorOf = (place: number): string => `var(--kind-${place + 1})`;

/**
 * The visits of the seven most frequent types of agents; the rest as one.
 *
 * @param types all there are, in a fixed order: a type keeps its color from range to range where it can.
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
  const colors = colorsOf(own, types);
  const shown: ChartSeries[] = own.map((type) => ({ key: keyOf.get(type)!, label: type, color: colors.get(type)! }));
  if (ranked.length > own.length) shown.push({ key: OTHER, label: 'Other types', color: 'var(--kind-other)' });
  if (hasUnknown) shown.push({ key: 'unknown', label: 'Unknown visitors', color: 'var(--kind-unknown)' });
  const items = series.map(({ time, by_type: byType }): ChartItem => {
    const values: Record<string, number> = Object.fromEntries(shown.map(({ key }) => [key, 0]));
    for (const [type, visits] of Object.entries(byType)) {
      const key = type === NOBODY ? 'unknown' : (keyOf.get(type) ?? OTHER);
      if (key in values) values[key]! += visits;
    }
    return { time, values };
  });
  return { series: shown, items };
}

/** Each the color of its place among all types, or the next that is free. */
function colorsOf(own: readonly string[], types: readonly string[]): Map<string, string> {
  const taken = new Set<number>();
  return new Map(
    own.map((type) => {
      let place = Math.max(0, types.indexOf(type)) % MAX_TYPES;
      while (taken.has(place)) place = (place + 1) % MAX_TYPES;
      taken.add(place);
      return [type, colorOf(place)];
    }),
  );
}
