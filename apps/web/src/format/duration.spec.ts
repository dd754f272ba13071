import { formatDuration } from './duration.js';

it.each([
  [0, '0.0 ms'],
  [2, '2.0 ms'],
  [9.96, '10 ms'],
  [2.4688599999062717, '2.5 ms'],
  [1_399.2, '1,399 ms'],
  [9_999, '9,999 ms'],
  [123_456.7, '123 s'],
  [5_000_000, '5,000 s'],
  [86_400_000, '24 h'],
  [1e10, '2,778 h'],
])('formats %d ms as %s', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text));
