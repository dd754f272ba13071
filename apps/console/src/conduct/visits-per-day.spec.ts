import { limitPerDay } from './visits-per-day.js';

it.each([
  [[], 100, 100],
  [[40, 60], 100, 100],
  [[50, 60], 100, 50],
  [[10, 10, 1_000], 100, 80],
  [[1_000, 5, 1_000], 100, 47],
])('limitPerDay divides %j visits', (counts, total, limit) => {
  expect(limitPerDay(counts, total)).toBe(limit);
});
