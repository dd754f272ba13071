import { durationText } from './duration.js';

it.each([
  [0, '0.0 ms'],
  [2, '2.0 ms'],
  [9.96, '10 ms'],
  [9_999, '9999 ms'],
  [123_456.7, '123 s'],
  [86_400_000, '24 h'],
])('%d ms is %s', (milliseconds, text) => expect(durationText(milliseconds)).toBe(text));
