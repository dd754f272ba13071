import {
  formatPosition,
  mergePositions,
  isBehind,
  MAX_SHARDS,
  intersectPositions,
  parsePosition,
} from './visit-position.js';

it.each([
  ['0', [0]],
  // Position with a single shard.
  ['41', [41]],
  ['41.0.7', [41, 0, 7]],
])('parses and formats %s', (text, position) => {
  expect(parsePosition(text)).toEqual(position);
  expect(formatPosition(position)).toBe(text);
});

it('formats the position before the first visit', () => {
  expect(formatPosition([])).toBe('0');
});

it.each([
  '',
  '.',
  '1.',
  '.1',
  '1..2',
  '-1',
  '1e3',
  ' 1',
  '1'.repeat(19),
  Array(MAX_SHARDS + 1)
    .fill('1')
    .join('.'),
])('rejects the position "%s"', (text) => {
  expect(parsePosition(text)).toBeNull();
});

it('treats a position as behind if any shard, including a new one, has newer visits', () => {
  expect(isBehind([3, 1], [3, 1])).toBe(false);
  expect(isBehind([3, 1], [2])).toBe(false);
  expect(isBehind([3, 1], [0, 2])).toBe(true);
  expect(isBehind([3], [3, 0, 1])).toBe(true);
});

it('returns the furthest and the nearest position for each shard', () => {
  expect(mergePositions([3, 0, 5], [4])).toEqual([4, 0, 5]);
  expect(intersectPositions([3, 0, 5], [4, 2])).toEqual([3, 0, 0]);
});
