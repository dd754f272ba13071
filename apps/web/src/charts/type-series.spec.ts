import { buildTypeSeries } from './type-series.js';

const TYPES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
const createItem = (by_type: Record<string, number>) => ({
  time: '2026-11-21T00:00:00Z',
  visits: Object.values(by_type).reduce((sum, each) => sum + each, 0),
  by_type,
});

describe('typeSeries', () => {
  it('sorts types by visits and adds unknown visitors only on request', () => {
    const overviewSeries = [createItem({ a: 1, b: 5, '': 100 }), createItem({ b: 1 })];
    expect(buildTypeSeries(overviewSeries, TYPES, false)).toEqual({
      series: [
        { key: 'type0', label: 'b', color: 'var(--kind-2)' },
        { key: 'type1', label: 'a', color: 'var(--kind-1)' },
      ],
      items: [
        { time: overviewSeries[0]!.time, values: { type0: 5, type1: 1 } },
        { time: overviewSeries[1]!.time, values: { type0: 1, type1: 0 } },
      ],
      previous: [],
    });
    expect(buildTypeSeries(overviewSeries, TYPES, true).items[0]!.values).toEqual({ type0: 5, type1: 1, unknown: 100 });
  });

  it('uses the same series for the previous range, including types that stopped visiting', () => {
    const previousSeries = [createItem({ a: 2, c: 3, '': 10 }), createItem({ b: 1 })];
    const { series, previous } = buildTypeSeries([createItem({ a: 1, b: 5, '': 9 })], TYPES, true, previousSeries);
    expect(series.map(({ key, label }) => [key, label])).toEqual([
      ['type0', 'b'],
      ['type1', 'a'],
      ['type2', 'c'],
      ['unknown', 'Unknown visitors'],
    ]);
    expect(previous.map(({ values }) => values)).toEqual([
      { type0: 0, type1: 2, type2: 3, unknown: 10 },
      { type0: 1, type1: 0, type2: 0, unknown: 0 },
    ]);
  });

  it('groups types beyond the seventh and gives each series its own color', () => {
    const { series, items } = buildTypeSeries(
      [createItem({ a: 9, h: 8, b: 7, c: 6, d: 5, e: 4, f: 3, g: 2, i: 1 })],
      TYPES,
      false,
    );
    expect(series.map(({ label }) => label)).toEqual(['a', 'h', 'b', 'c', 'd', 'e', 'f', 'Other types']);
    expect(series.map(({ color }) => color)).toEqual(
      [1, 8, 2, 3, 4, 5, 6, 'other'].map((name) => `var(--kind-${name})`),
    );
    expect(items[0]!.values['other']).toBe(3);
  });
});
