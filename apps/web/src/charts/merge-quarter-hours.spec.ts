import { mergeQuarterHours } from './merge-quarter-hours.js';

const createProps = (timeZone = 'UTC', count = 96) => {
  const items = Array.from({ length: count }, (_, index) => ({
    time: new Date(Date.UTC(2026, 0, 1, 0, 30 + 15 * index)).toISOString(),
    values: { a: 1 },
  }));
  const times = { bucket: '15m' as const, projectZone: 'UTC', timeZone };
  return { items, comparison: { label: 'Before', items }, times };
};

it('combines quarter-hours into hours', () => {
  const { items, comparison, times } = mergeQuarterHours(createProps());
  expect(times.bucket).toBe('1h');
  expect(items).toHaveLength(25);
  expect(items[0]).toEqual({ time: '2026-01-01T00:00:00.000Z', values: { a: 2 } });
  expect(items[1]).toEqual({ time: '2026-01-01T01:00:00.000Z', values: { a: 4 } });
  expect(comparison.items).toEqual(items);
});

it.each([
  ['short ranges', createProps('UTC', 12)],
  ['time zones whose hours start between two quarter-hours of UTC', createProps('Asia/Kathmandu')],
])('leaves %s as they are', (_, props) => expect(mergeQuarterHours(props)).toBe(props));
