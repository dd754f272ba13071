import { getResultShare } from './change.js';

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
