import { findBusySpan, formatBusySpan } from './busy-span.js';

const quiet = (count: number): number[] => Array.from({ length: count }, () => 1);

describe('findBusySpan', () => {
  it.each([
    ['a single high item', [...quiet(9), 50, ...quiet(10)], 0.5, { first: 9, last: 9 }],
    ['a run, with its less high ends', [...quiet(5), 10, 30, 20, 10, ...quiet(11)], 0.5, { first: 5, last: 8 }],
    ['the busier of two runs of the same length', [20, ...quiet(8), 40, ...quiet(10)], 0.5, { first: 9, last: 9 }],
    [
      'most of what there is',
      [...quiet(10).map(() => 0), 5, 5, 5, ...quiet(10).map(() => 0)],
      0.9,
      { first: 10, last: 12 },
    ],
  ])('finds %s', (_, values, share, span) => expect(findBusySpan(values, share)).toEqual(span));

  it.each([
    ['no values', []],
    ['only zeros', [0, 0, 0, 0, 0, 0]],
    ['an even load', quiet(20)],
    ['a short range', [1, 5, 1]],
  ])('returns null for %s', (_, values) => expect(findBusySpan(values, 0.5)).toBeNull());
});

describe('formatBusySpan', () => {
  const times = { projectZone: 'Europe/Berlin', timeZone: 'UTC' };
  const hours = ['2026-11-30T12:00:00Z', '2026-11-30T13:00:00Z', '2026-11-30T14:00:00Z', '2026-12-01T00:00:00Z'];
  const days = ['2026-11-28T23:00:00Z', '2026-11-29T23:00:00Z', '2026-11-30T23:00:00Z'];

  it.each([
    [{ first: 0, last: 2 }, hours, '1h', 'between 12:00 and 15:00 on Nov 30'],
    [{ first: 2, last: 3 }, hours, '1h', 'between 14:00 on Nov 30 and 01:00 on Dec 1'],
    [{ first: 1, last: 1 }, days, '1d', 'on Nov 30'],
    [{ first: 0, last: 1 }, days, '1d', 'from Nov 29 to Nov 30'],
    [{ first: 0, last: 0 }, ['2026-11-22T23:00:00Z'], '1w', 'from Nov 23 to Nov 29'],
  ] as const)('formats %j of %j', (span, starts, bucket, text) =>
    expect(formatBusySpan(span, starts, { ...times, bucket })).toBe(text),
  );
});
