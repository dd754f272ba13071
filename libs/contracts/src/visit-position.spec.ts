import { formatPosition, furthest, isBehind, MAX_SHARDS, nearest, parsePosition } from './visit-position.js';

it.each([
  ['0', [0]],
  // Positions without shards.
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
])('rejects "%s"', (text) => {
  expect(parsePosition(text)).toBeNull();
});

it('treats a position as behind if any shard, including a new one, has newer visits', () => {
  expect(isBehind([3, 1], [3, 1])).toBe(false);
  expect(isBehind([3, 1], [2])).toBe(false);
  expect(isBehind([3, 1], [0, 2])).toBe(true);
  expect(isBehind([3], [3, 0, 1])).toBe(true);
});

it('returns the furthest or the nearest position per shard', () => {
  expect(furthest([3, 0, 5], [4])).toEqual([4, 0, 5]);
  expect(nearest([3, 0, 5], [4, 2])).toEqual([3, 0, 0]);
});
