import { describePartialItems, findPartialItems, toPartialIndexes } from './partial-items.js';

const times = { bucket: '1d', projectZone: 'UTC', timeZone: 'UTC' } as const;
const days = ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z'];
const now = Date.parse('2026-11-22T17:05:00Z');

describe('partial items', () => {
  it.each([
    ['2026-11-20T17:15:00Z', '2026-11-22T17:15:00Z', [0, 2], 'first day is incomplete, and the last is still in'],
    ['2026-11-20T17:15:00Z', '2026-11-22T17:00:00Z', [0, 2], 'The first and last day are incomplete'],
    ['2026-11-20T17:15:00Z', '2026-11-21T00:00:00Z', [0], 'The first day is incomplete'],
    ['2026-11-20T00:00:00Z', '2026-11-22T17:00:00Z', [2], 'The last day is incomplete'],
    ['2026-11-20T00:00:00Z', '2026-11-22T17:15:00Z', [2], 'The last day is still in progress'],
    ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z', [], null],
  ])('finds the partial days from %s to %s', (from, to, indexes, text) => {
    const starts = days.filter((day) => Date.parse(day) < Date.parse(to));
    const partial = findPartialItems(starts, { from, to }, times, now);
    expect(toPartialIndexes(partial, starts.length)).toEqual(indexes);
    const description = describePartialItems(partial, '1d');
    if (text === null) expect(description).toBeNull();
    else expect(description).toContain(text);
  });

  it('finds the end of quarter hours, weeks and months', () => {
    const isCut = (bucket: '15m' | '1w' | '1mo', start: string, to: string): boolean =>
      findPartialItems([start], { from: start, to }, { ...times, bucket }, now).last === 'cut';
    expect(isCut('15m', '2026-11-21T10:00:00Z', '2026-11-21T10:15:00Z')).toBe(false);
    expect(isCut('1w', '2026-11-09T00:00:00Z', '2026-11-16T00:00:00Z')).toBe(false);
    expect(isCut('1w', '2026-11-09T00:00:00Z', '2026-11-15T00:00:00Z')).toBe(true);
    expect(isCut('1mo', '2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z')).toBe(false);
    expect(isCut('1mo', '2026-10-01T00:00:00Z', '2026-10-31T00:00:00Z')).toBe(true);
  });
});
