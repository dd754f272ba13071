import { getOperatorColor } from '../ui/operator-colors.js';
import { buildOperatorSeries } from './operator-series.js';

const item = (time: string, total: number, byOperator: Record<string, number>) => ({ time, total, byOperator });

it('stacks the largest operators in their colors, and sums up the rest', () => {
  const named = { Meta: 5, Google: 30, A: 4, B: 3, C: 2, D: 1, E: 0.5, F: 0.25, G: 0.125, H: 0 };
  const { series, items, previous } = buildOperatorSeries(
    [item('1', 50, named)],
    [item('0', 7, { Meta: 3 })],
    'Others',
  );
  expect(series.map(({ label }) => label)).toEqual(['Google', 'Meta', 'A', 'B', 'C', 'D', 'E', 'F', 'Others']);
  expect(series[1]!.color).toBe(getOperatorColor('Meta'));
  const valuesOf = (values: Record<string, number>) => series.map(({ key }) => values[key]);
  expect(valuesOf(items[0]!.values)).toEqual([30, 5, 4, 3, 2, 1, 0.5, 0.25, 4.25]);
  expect(valuesOf(previous[0]!.values)).toEqual([0, 3, 0, 0, 0, 0, 0, 0, 4]);
});

it('leaves out the rest if the operators add up to the total', () => {
  const { series } = buildOperatorSeries([item('1', 0.3, { Google: 0.1, Meta: 0.2 })], [], 'Others');
  expect(series.map(({ label }) => label)).toEqual(['Meta', 'Google']);
});

it('returns a single series without operators', () => {
  const { series, items } = buildOperatorSeries([item('1', 4, {})], [], 'Others');
  expect(series.map(({ label }) => label)).toEqual(['Total']);
  expect(Object.values(items[0]!.values)).toEqual([4]);
});
