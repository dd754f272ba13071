import { formatDuration } from './duration.js';

it.each([
  [0, '0 ms'],
  [2.468, '2.5 ms'],
  [9.96, '10 ms'],
  [148.3, '148 ms'],
  [999, '999 ms'],
  [999.6, '1 s'],
  [3_835, '3.84 s'],
  [12_345, '12.3 s'],
  [59_960, '1 min'],
  [185_000, '3 min 5 s'],
  [3_599_600, '1 h'],
  [5_430_000, '1 h 31 min'],
  [86_399_000, '24 h'],
  [1e10, '2,778 h'],
])('formats %d ms as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});
