import { formatChange, formatPercent, getResultShare } from './change.js';

it.each([
  [0, 0, false, 'unchanged'],
  [5, 0, false, 'new'],
  [0, 5, false, '−100%'],
  [112, 100, false, '+12%'],
  [1_001, 1_000, false, 'about the same'],
  [500, 10, false, '×50'],
  // The previous count is too small to compare with.
  [450, 1, false, 'new'],
  [30_705, 35, false, 'new'],
  [9, 1, false, '+800%'],
  [0.5, 0.45, true, '+5 points'],
  [0.44, 0.45, true, '−1 point'],
  [0.451, 0.449, true, 'unchanged'],
  [0.86, null, true, 'no previous data'],
  [null, 0.86, true, '86% before'],
  [null, null, true, 'unchanged'],
])('describes %s compared with %s (share: %s) as %s', (current, previous, isShare, text) =>
  expect(formatChange(current, previous, isShare)).toBe(text),
);

it.each([
  [0, 9, true, 0],
  [3, 4, true, 0.75],
  [0, 9, false, null],
  // The agent could be verified when these visits happened.
  [3, 4, false, 0.75],
  [0, 0, true, null],
])('returns the share of %d in %d visits (verifiable: %s) as %s', (visits, of, isVerifiable, share) =>
  expect(getResultShare(visits, { of, isVerifiable })).toBe(share),
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
  [0.9996, 'over 99.9%'],
  [1, '100%'],
])('formats the share %s as %s', (share, text) => expect(formatPercent(share)).toBe(text));
