import { getOverview } from '#libs/contracts';
import { readQuery } from '#libs/platform';
import { createSeries, resolveComparisonRange, resolveRange, startOfDays } from './time-range.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const DAY_MS = 86_400_000;
const iso = (time: number): string => new Date(time).toISOString().replace(':00.000Z', 'Z');

function read(parameters: Record<string, string>) {
  const { from, to } = resolveRange(readQuery(getOverview, parameters), NOW);
  return [iso(from), iso(to)];
}

describe('resolveRange', () => {
  it('defaults to the last 24 hours and widens ranges to full quarter-hours', () => {
    expect(read({})).toEqual(['2026-11-20T08:30Z', '2026-11-21T08:45Z']);
    expect(read({ to: '2026-11-10' })).toEqual(['2026-11-09T00:00Z', '2026-11-10T00:00Z']);
    expect(read({ from: '2026-11-21T08:20:00+01:00', to: '2026-11-21T08:21:00Z' })).toEqual([
      '2026-11-21T07:15Z',
      '2026-11-21T08:30Z',
    ]);
  });

  it.each([
    [{ from: '2026-11-22' }, 'from must be before to'],
    [{ from: '2026-11-20', to: '2026-11-20' }, 'from must be before to'],
    [{ from: '2006-11-01', to: '2026-11-20' }, 'from must be at most 7305 days before to'],
    [{ to: '9999-12-31T23:50' }, 'to must be 9999-12-31T23:45:00.000Z or earlier'],
    [{ from: 'yesterday' }, 'from must be an ISO 8601 date or date-time of the years 0001 to 9999'],
  ])('rejects a range with %j', (parameters, detail) => {
    expect(() => read(parameters as Record<string, string>)).toThrow(detail);
  });
});

describe('startOfDays', () => {
  it.each([
    [30, 'UTC', '2026-10-23T00:00Z'],
    [1, 'Europe/Berlin', '2026-11-20T23:00Z'],
    // Summer time ended on October 25.
    [30, 'Europe/Berlin', '2026-10-22T22:00Z'],
    // Midnight is at half past.
    [7, 'Asia/Kolkata', '2026-11-14T18:00Z'],
  ])('returns the start of %i days in %s', (days, timeZone, start) => {
    expect(iso(startOfDays(NOW, days, timeZone))).toBe(start);
  });
});

describe('createSeries', () => {
  it.each([
    ['15m', [1, 25 / 24]],
    ['1h', [2, 7, 8]],
    ['1d', [9, 30, 90, 100]],
    ['1w', [101, 366, 750]],
    ['1mo', [751, 7_305]],
  ])('divides the chart into %s items for ranges of %j days', (bucket, days) => {
    for (const length of days)
      expect(createSeries({ from: NOW - length * DAY_MS, to: NOW }, 'UTC').bucket).toBe(bucket);
  });

  it('starts days at local midnight', () => {
    const range = { from: Date.parse('2026-10-20T12:00Z'), to: Date.parse('2026-10-31T00:00Z') };
    const { starts, bucket } = createSeries(range, 'Europe/Berlin');
    expect(bucket).toBe('1d');
    expect(starts.map(iso)).toEqual([
      '2026-10-19T22:00Z',
      '2026-10-20T22:00Z',
      '2026-10-21T22:00Z',
      '2026-10-22T22:00Z',
      '2026-10-23T22:00Z',
      '2026-10-24T22:00Z',
      '2026-10-25T23:00Z',
      '2026-10-26T23:00Z',
      '2026-10-27T23:00Z',
      '2026-10-28T23:00Z',
      '2026-10-29T23:00Z',
      '2026-10-30T23:00Z',
    ]);
  });

  it("doesn't return more items than a chart can show", () => {
    for (const days of [25 / 24, 8, 100, 366, 750, 7_305]) {
      const { starts } = createSeries({ from: NOW - days * DAY_MS, to: NOW }, 'Asia/Kathmandu');
      expect(starts.length).toBeLessThanOrEqual(242);
    }
  });
});

it('compares with the previous range, a range of equal length from a given start, or no range', () => {
  const range = { from: NOW - DAY_MS, to: NOW };
  expect(resolveComparisonRange(range, null)).toEqual({ from: NOW - 2 * DAY_MS, to: NOW - DAY_MS });
  const { from, to } = resolveComparisonRange(range, Date.parse('2025-11-20T08:40:00Z'));
  expect([from, to].map(iso)).toEqual(['2025-11-20T08:30Z', '2025-11-21T08:30Z']);
  const none = resolveComparisonRange(range, 'none');
  expect(none.from).toBe(none.to);
  expect(createSeries(none, 'Asia/Kathmandu').starts).toEqual([]);
  expect(() => resolveComparisonRange(range, Date.parse('9999-12-31T00:00:00Z'))).toThrow(
    'compare_from must be 9999-12-30T23:45:00.000Z or earlier',
  );
});
