import { formatRate, Rate } from './rate.js';

it('returns the average visit rate over the last 10 seconds', () => {
  const rate = new Rate(0);
  for (let second = 0; second < 60; second += 1) rate.add(500, second * 1_000 + 1);
  expect(rate.perSecond(60_000)).toBe(500);
  expect(rate.perSecond(65_000)).toBe(250);
  expect(rate.perSecond(80_000)).toBe(0);
});

it('averages the visit rate over the elapsed time during the first 10 seconds', () => {
  const rate = new Rate(0);
  rate.add(40, 500);
  expect(rate.perSecond(2_000)).toBe(20);
});

it.each([
  [0.05, '0.1'],
  [1.08, '1.1'],
  [12.4, '12'],
  [1_200, '1,200'],
])('formats a rate of %d as %s', (visits, text) => expect(formatRate(visits)).toBe(text));
