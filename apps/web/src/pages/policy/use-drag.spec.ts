import { findIndexAt, moveItem } from './use-drag.js';

it.each([
  [0, 2, ['b', 'c', 'a']],
  [2, 0, ['c', 'a', 'b']],
  [1, 1, ['a', 'b', 'c']],
])('moves item %d to position %d', (from, to, expected) => {
  expect(moveItem(['a', 'b', 'c'], from, to)).toEqual(expected);
});

it.each([
  [-10, 0],
  [5, 0],
  [15, 1],
  [99, 1],
])('finds the item at %d', (y, expected) => {
  expect(
    findIndexAt(
      [
        { top: 0, bottom: 10 },
        { top: 12, bottom: 20 },
      ],
      y,
    ),
  ).toBe(expected);
});
