import { timeLeftText } from './import-text.js';

it.each([
  [0.2, '1 s'],
  [41.1, '42 s'],
  [185, '4 min'],
  [9_000, '3 h'],
])('formats %d seconds as "%s"', (seconds, text) => expect(timeLeftText(seconds)).toBe(text));
