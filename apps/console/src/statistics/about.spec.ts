import { about } from './about.js';

it.each([
  [12_345, 2, 12_000],
  [1_249_999, 2, 1_200_000],
  [10_001, 1, 10_000],
  [0, 2, 0],
])('rounds %d to %d digits: %d', (number, digits, rounded) => expect(about(number, digits)).toBe(rounded));
