import { describeComparison, getComparisonStart, toComparedRange } from './comparison.js';
import { resolveRange, type RangeSearch } from './range.js';

const NOW = Date.parse('2026-11-21T18:38:00Z');
const BERLIN = 'Europe/Berlin';
const from = (search: RangeSearch, now = NOW, timeZone = BERLIN): string | undefined =>
  getComparisonStart(search, resolveRange(search, { now, timeZone }), timeZone);

describe('comparison', () => {
  it('leaves the default comparison to the server and disables it for the range "all"', () => {
    for (const range of ['1h', '24h', '12mo'] as const) expect(from({ range })).toBeUndefined();
    expect(from({ range: '7d', compare: 'none' })).toBe('none');
    expect(from({ range: 'all' })).toBe('none');
  });

  it('compares whole days with the same number of days before, across DST changes', () => {
    const now = Date.parse('2026-10-26T09:00:00Z');
    expect(from({ range: 'today' }, now)).toBe('2026-10-24T22:00:00.000Z');
    expect(from({ range: '7d' }, now)).toBe('2026-10-12T22:00:00.000Z');
    expect(from({ range: 'yesterday' }, now)).toBe('2026-10-23T22:00:00.000Z');
    const week = { from: '2026-10-25T23:00:00.000Z', to: '2026-11-01T23:00:00.000Z' };
    expect(from(week)).toBe('2026-10-18T22:00:00.000Z');
  });

  it('compares with the same local time last year', () => {
    // In 2026, daylight saving time ended the day before. In 2025, it ended on this day.
    const range = { from: '2026-10-25T23:00:00.000Z', to: '2026-10-26T23:00:00.000Z', compare: 'year' };
    expect(from(range)).toBe('2025-10-25T22:00:00.000Z');
    const leapDay = { from: '2028-02-29T00:00:00.000Z', to: '2028-03-01T00:00:00.000Z', compare: 'year' };
    expect(from(leapDay, NOW, 'UTC')).toBe('2027-02-28T00:00:00.000Z');
  });

  it('starts a custom comparison at the selected time', () =>
    expect(from({ range: '7d', compare: '2026-01-01T00:00:00.000Z' })).toBe('2026-01-01T00:00:00.000Z'));

  it('shows the name of the comparison range', () => {
    expect(describeComparison({}, 'UTC')).toBe('the 24 hours before');
    expect(describeComparison({ from: 'a', to: 'b' }, 'UTC')).toBe('the previous period');
    expect(describeComparison({ range: 'today' }, 'UTC')).toBe('yesterday up to the same time');
    expect(describeComparison({ compare: 'year' }, 'UTC')).toBe('the same period last year');
    expect(describeComparison({ compare: '2025-12-31T23:00:00.000Z' }, BERLIN)).toBe(
      'the period starting Jan 1, 2026, 00:00',
    );
    expect(describeComparison({ compare: 'none' }, 'UTC')).toBeNull();
    expect(describeComparison({ range: 'all' }, 'UTC')).toBeNull();
  });
});

describe('toComparedRange', () => {
  const range = { from: '2026-03-02T00:00:00.000Z', to: '2026-03-03T00:00:00.000Z' };

  it('returns the range immediately before by default', () =>
    expect(toComparedRange(range)).toEqual({ from: '2026-03-01T00:00:00.000Z', to: range.from }));

  it('returns a range of the same length that starts at the given time', () =>
    expect(toComparedRange({ ...range, compareFrom: '2025-03-02T00:00:00.000Z' })).toEqual({
      from: '2025-03-02T00:00:00.000Z',
      to: '2025-03-03T00:00:00.000Z',
    }));

  it('returns null for no comparison', () => expect(toComparedRange({ ...range, compareFrom: 'none' })).toBeNull());
});
