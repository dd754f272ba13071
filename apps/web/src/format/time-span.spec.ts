import { formatTimeSpan } from './time-span.js';

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_400, '1 s'],
  [59_400, '59 s'],
  [60_000, '1 min'],
  [185_000, '3 min 5 s'],
  [3_600_000, '1 h'],
  [86_399_000, '24 h'],
  [5_430_000, '1 h 31 min'],
])('formats %i ms as %s', (milliseconds, text) => {
  expect(formatTimeSpan(milliseconds)).toBe(text);
});
