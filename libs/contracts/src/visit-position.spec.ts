import {
  formatPosition,
  furthest,
  isBehind,
  MAX_SHARDS,
  parsePosition,
  visitsAfter,
  withVisit,
} from './visit-position.js';

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

it('is behind if any shard has newer visits, including a new shard', () => {
  expect(isBehind([3, 1], [3, 1])).toBe(false);
  expect(isBehind([3, 1], [2])).toBe(false);
  expect(isBehind([3, 1], [0, 2])).toBe(true);
  expect(isBehind([3], [3, 0, 1])).toBe(true);
});

it('advances to a visit and to another position', () => {
  expect(withVisit([3], { shard: 2, number: 5 })).toEqual([3, 0, 5]);
  expect(withVisit([3, 4], { shard: 0, number: 5 })).toEqual([5, 4]);
  expect(furthest([3, 0, 5], [4])).toEqual([4, 0, 5]);
});

it('separates the position bounds of shards', () => {
  expect(visitsAfter(41, 0)).toEqual({ after: '41', before: '72057594037927936' });
  expect(visitsAfter(0, MAX_SHARDS - 1).before).toBe(String(BigInt(MAX_SHARDS) << 56n));
});
