import { getOperatorColor } from '../ui/operator-colors.js';
import type { ChartItem, ChartSeries } from './chart.js';

/** Maximum number of operators with their own series. */
const MAX_SERIES = 8;
const REST = 'rest';

export interface OperatorItem {
  /** Start time in ISO 8601. */
  time: string;
  total: number;
  /** Part of the total by operator. Can leave out operators. */
  byOperator: Readonly<Record<string, number>>;
}

/**
 * Returns a series for each of the largest operators, in its color, and one for the rest of the totals.
 *
 * @param previous Items of the comparison range, which are returned with the same series keys.
 * @param restLabel Label of the rest.
 */
export function buildOperatorSeries(
  items: readonly OperatorItem[],
  previous: readonly OperatorItem[],
  restLabel: string,
): { series: ChartSeries[]; items: ChartItem[]; previous: ChartItem[] } {
  const sums = new Map<string, number>();
  for (const { byOperator } of items) {
    for (const [operator, value] of Object.entries(byOperator)) sums.set(operator, (sums.get(operator) ?? 0) + value);
  }
  const names = [...sums]
    .filter(([, value]) => value > 0)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_SERIES)
    .map(([operator]) => operator);
  const toItem = ({ time, total, byOperator }: OperatorItem): ChartItem => {
    const values = names.map((name) => (Object.hasOwn(byOperator, name) ? byOperator[name]! : 0));
    // Sums of fractions can exceed the total slightly.
    const rest = Math.max(0, total - values.reduce((sum, value) => sum + value, 0));
    return {
      time,
      values: { ...Object.fromEntries(names.map((name, index) => [toKey(name), values[index]!])), [REST]: rest },
    };
  };
  const shown = items.map(toItem);
  const hasRest = names.length === 0 || hasVisibleRest(shown, items);
  return {
    series: [
      ...names.map((name) => ({ key: toKey(name), label: name, color: getOperatorColor(name) })),
      ...(hasRest
        ? [{ key: REST, label: names.length === 0 ? 'Total' : restLabel, color: 'var(--kind-unknown)' }]
        : []),
    ],
    items: shown,
    previous: previous.map(toItem),
  };
}

const toKey = (operator: string): string => `operator ${operator}`;

/** A smaller share of the totals comes from rounding. */
const MIN_REST_SHARE = 1e-9;

function hasVisibleRest(shown: readonly ChartItem[], items: readonly OperatorItem[]): boolean {
  const rest = shown.reduce((sum, { values }) => sum + values[REST]!, 0);
  return rest > MIN_REST_SHARE * items.reduce((sum, { total }) => sum + total, 0);
}
