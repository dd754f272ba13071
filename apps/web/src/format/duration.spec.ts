import { formatClockDuration, formatDuration, formatLongDuration, formatSeconds } from './duration.js';

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

it.each([
  [820, '820 ms'],
  [12_345, '12.3 s'],
  [59_900, '59.9 s'],
  [59_960, '60 s'],
  [59_990, '1 min'],
  [2_286_000, '38.1 min'],
  [3_597_500, '60 min'],
  [3_599_000, '1 h'],
  [54_000_000, '15 h'],
  [8_460_000, '2.35 h'],
  [1e10, '2,778 h'],
])('formats %d ms as %s', (milliseconds, text) => expect(formatLongDuration(milliseconds)).toBe(text));

it.each([
  [400, '0:00'],
  [59_600, '1:00'],
  [185_000, '3:05'],
  [754_000, '12:34'],
  [3_785_000, '1:03:05'],
  [4_000_000_000, '1,111:06:40'],
])('formats %d ms as %s', (milliseconds, text) => expect(formatClockDuration(milliseconds)).toBe(text));

it.each([
  [4, '0.00 s'],
  [148, '0.15 s'],
  [996, '1.0 s'],
  [3_835, '3.8 s'],
  [29_040, '29.0 s'],
])('formats %d ms as %s', (milliseconds, text) => expect(formatSeconds(milliseconds)).toBe(text));
