import { isClearDifference } from './clear-difference.js';

it.each([
  [3, 10, true],
  [8, 3, false],
  [8, 6, false],
  [0, 3, false],
  [295, 142, true],
  [0, 0, false],
])('compares %i with %i', (one, other, isClear) => expect(isClearDifference(one, other)).toBe(isClear));
