import { roundToDigits } from './rounding.js';

it.each([
  [12_345, 2, 12_000],
  [1_249_999, 2, 1_200_000],
  [10_001, 1, 10_000],
  [0, 2, 0],
])('rounds %d to %d significant digits: %d', (number, digits, rounded) =>
  expect(roundToDigits(number, digits)).toBe(rounded),
);
