import { describeTrend } from './trend.js';

const BEFORE = 'the 24 hours before';

it.each([
  [21, 17, '. That’s too few to call a trend (17 in the 24 hours before)'],
  [15, 50, ', fewer than in the 24 hours before (50)'],
  [1_400, 1_000, ', more than in the 24 hours before (1,000)'],
  [649, 640, ', about as many as in the 24 hours before (640)'],
  [4, 4, ', as many as in the 24 hours before'],
])('describes the change to %i from %i', (current, previous, text) =>
  expect(describeTrend(current, previous, BEFORE)).toBe(text),
);

it('says when yesterday’s count was taken', () => {
  expect(describeTrend(10, 8, 'yesterday up to the same time')).toContain('(8 yesterday up to the same time)');
  expect(describeTrend(400, 380, 'the day before')).toBe(', about as many as the day before (380)');
});
