import { totalText } from './total-text.js';

it.each([
  [1, false, undefined, '1 visit'],
  [70, false, { visits: 71, is_exact: true }, '70 visits'],
  [100, true, undefined, '100 visits loaded'],
  [100, true, { visits: null, is_exact: false }, '100 visits loaded'],
  [100, true, { visits: 1_399, is_exact: true }, '1,399 visits, 100 loaded'],
  [1_200, true, { visits: 1_200_000, is_exact: false }, 'about 1.2 million visits, 1,200 loaded'],
  // More visits arrived after the total was determined.
  [1_400, true, { visits: 1_399, is_exact: true }, '1,400 visits loaded'],
])('describes %d loaded visits (more available: %s, total: %j) as %s', (shown, hasMore, total, text) =>
  expect(totalText(shown, hasMore, total)).toBe(text),
);
