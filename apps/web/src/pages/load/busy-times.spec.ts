import type { LoadAmounts } from './measures.js';
import { findBusyTime } from './busy-times.js';

const NORMAL = { time: '', requests: 10, bytes: 1_000, server_time_ms: 500 };
const range = (busy: Partial<LoadAmounts>): LoadAmounts[] =>
  Array.from({ length: 20 }, (_, index) => ({ ...NORMAL, ...(index === 7 && busy) }));

it.each([
  ['slow responses', { server_time_ms: 50_000 }, 'slow responses'],
  ['more requests', { requests: 1_000, server_time_ms: 50_000, bytes: 100_000 }, 'a rush of requests'],
])('names %s', (_, busy, reason) => {
  const found = findBusyTime(range(busy), ({ server_time_ms: time }) => time, false);
  expect(found).toEqual({ span: { first: 7, last: 7 }, amount: 50_000, share: 50_000 / 59_500, reason });
});

it('names large responses', () => {
  const found = findBusyTime(range({ bytes: 1e6 }), ({ bytes }) => bytes, false);
  expect(found!.reason).toBe('large responses');
});

it('finds a day that stands out', () => {
  const items = range({ server_time_ms: 1_600 });
  const getTime = ({ server_time_ms: time }: { server_time_ms: number | null }) => time;
  expect(findBusyTime(items, getTime, true)).toMatchObject({ span: { first: 7, last: 7 }, share: 1_600 / 11_100 });
  expect(findBusyTime(items, getTime, false)).toBeNull();
});

it('returns null for an even load', () => {
  expect(findBusyTime(range({}), ({ requests }) => requests, true)).toBeNull();
});
