import { formatChange, formatChangeOfFew, formatPercent } from './change.js';

it.each([
  [0, 0, false, 'unchanged'],
  [5, 0, false, 'new'],
  [0, 5, false, '−100%'],
  [112, 100, false, '+12%'],
  [1_006, 1_000, false, '+1%'],
  [10_001, 10_000, false, 'about the same'],
  [1_078, 1_000, false, '+8%'],
  [1, 10_000, false, '−99%'],
  [500, 10, false, '×50'],
  [30_705, 30, false, '×1,024'],
  // A percentage of so few visits would be meaningless.
  [450, 1, false, 'from 1'],
  [0.5, 0.45, true, '+5 points'],
  [0.44, 0.45, true, '−1 point'],
  [0.456, 0.45, true, '+0.6 points'],
  [0.4501, 0.4499, true, 'about the same'],
  [0.86, null, true, 'no earlier data'],
  [null, 0.86, true, 'from 86%'],
  [null, null, true, 'unchanged'],
])('describes %s compared with %s (share: %s) as %s', (current, previous, isShare, text) =>
  expect(formatChange(current, previous, isShare)).toBe(text),
);

it.each([
  [29, 28, '+1'],
  [28, 31, '−3'],
  [28, 28, 'unchanged'],
  [28, 0, '+28'],
  [110, 100, '+10%'],
])('describes %d agents compared with %d as %s', (current, previous, text) =>
  expect(formatChangeOfFew(current, previous)).toBe(text),
);

it.each([
  [null, '–'],
  [0, '0%'],
  [0.0004, 'under 0.1%'],
  [0.006, '0.6%'],
  [0.0104, '1%'],
  [0.0961, '9.6%'],
  [0.124, '12%'],
  [0.994, '99.4%'],
  [0.9985, '99.8%'],
  [0.9996, 'over 99.9%'],
  [1, '100%'],
])('formats the share %s as %s', (share, text) => expect(formatPercent(share)).toBe(text));
