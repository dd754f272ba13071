import { SeededRandom } from './seeded-random.js';

it.each([0, 0.3, 3.9, 4.5, 16, 101.2])('returns counts that average %d events', (mean) => {
  const random = new SeededRandom(7);
  const counts = Array.from({ length: 100_000 }, () => random.nextCount(mean));
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(0);
  expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeCloseTo(mean, 1);
});
