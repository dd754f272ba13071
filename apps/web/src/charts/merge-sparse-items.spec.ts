import { mergeSparseItems } from './merge-sparse-items.js';

const SERIES = [{ key: 'a', label: 'A', color: 'red' }];
const createProps = (value: number, timeZone = 'UTC', count = 96) => {
  const items = Array.from({ length: count }, (_, index) => ({
    time: new Date(Date.UTC(2026, 0, 1, 0, 30 + 15 * index)).toISOString(),
    values: { a: value },
  }));
  const times = { bucket: '15m' as const, projectZone: 'UTC', timeZone };
  return { series: SERIES, items, comparison: { label: 'Before', items }, times };
};

it('combines quarter-hours with few visits into hours', () => {
  const { items, comparison, times } = mergeSparseItems(createProps(1));
  expect(times.bucket).toBe('1h');
  expect(items).toHaveLength(25);
  expect(items[0]).toEqual({ time: '2026-01-01T00:00:00.000Z', values: { a: 2 } });
  expect(items[1]).toEqual({ time: '2026-01-01T01:00:00.000Z', values: { a: 4 } });
  expect(comparison.items).toEqual(items);
});

it.each([
  ['many visits', createProps(9)],
  ['short ranges', createProps(1, 'UTC', 12)],
  ['time zones whose hours start between two quarter-hours of UTC', createProps(1, 'Asia/Kathmandu')],
])('leaves %s as they are', (_, props) => expect(mergeSparseItems(props)).toBe(props));
