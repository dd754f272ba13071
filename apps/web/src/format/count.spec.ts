import { formatRoundedCount, formatVisitCount } from './count.js';

it.each([
  [12_000, 'about 12,000'],
  [990_000, 'about 990,000'],
  [1_200_000, 'about 1.2 million'],
  [30_000_000, 'about 30 million'],
])('formats %d as %s', (count, text) => expect(formatRoundedCount(count)).toBe(text));

it.each([
  [0, '0 visits'],
  [1, '1 visit'],
  [1_399, '1,399 visits'],
])('formats %d visits as %s', (count, text) => expect(formatVisitCount(count)).toBe(text));
