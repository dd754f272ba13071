import { linkedRange, getNeighborRange, parseRangeSearch, resolveRange, type RangeSearch } from './range.js';

const NOW = Date.parse('2026-11-21T18:38:00Z');
const momentAt = (now: number, timeZone = 'UTC', firstVisitAt: string | null = null) => ({
  now,
  timeZone,
  firstVisitAt,
});
const resolve = (search: RangeSearch, moment: ReturnType<typeof momentAt>): [string, string] => {
  const { from, to } = resolveRange(search, moment);
  return [from, to].map((time) => time.replace(':00.000Z', 'Z')) as [string, string];
};

describe('page range', () => {
  it('parses valid values from the URL and ignores invalid ones', () => {
    expect(parseRangeSearch({ range: '7d', zone: 'browser', table: true })).toEqual({
      range: '7d',
      zone: 'browser',
      table: true,
    });
    expect(parseRangeSearch({ range: 'yesterday' })).toEqual({ range: 'yesterday' });
    expect(parseRangeSearch({ range: '24h' })).toEqual({});
    expect(parseRangeSearch({ compare: 'year' })).toEqual({ compare: 'year' });
    expect(parseRangeSearch({ compare: '2026-01-01T00:00+01:00' })).toEqual({ compare: '2025-12-31T23:00:00.000Z' });
    expect(parseRangeSearch({ compare: 'previous' })).toEqual({});
    expect(parseRangeSearch({ range: '2y', zone: 'mars', table: 'no' })).toEqual({});
  });

  it('prefers a valid custom range to a preset', () => {
    expect(parseRangeSearch({ from: '2026-11-01', to: '2026-11-02T00:00:00+01:00', range: '7d' })).toEqual({
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-11-01T23:00:00.000Z',
    });
    expect(parseRangeSearch({ from: '2026-11-02', to: '2026-11-01', range: '7d' })).toEqual({ range: '7d' });
    expect(parseRangeSearch({ from: '2026-11-02', range: '7d' })).toEqual({ range: '7d' });
  });

  it('ends relative ranges with the current quarter hour', () => {
    expect(resolve({ range: '1h' }, momentAt(NOW))).toEqual(['2026-11-21T17:45Z', '2026-11-21T18:45Z']);
    expect(resolve({}, momentAt(NOW))[0]).toBe('2026-11-20T18:45Z');
    expect(resolve({}, momentAt(Date.parse('2026-11-21T18:45:00Z')))[1]).toBe('2026-11-21T19:00Z');
    expect(resolve({ range: '90d' }, momentAt(NOW))).toEqual(['2026-08-24T00:00Z', '2026-11-21T18:45Z']);
    const custom = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' };
    expect(resolveRange(custom, momentAt(NOW))).toEqual(custom);
  });

  it('uses day boundaries in the project time zone, across DST changes', () => {
    // In Auckland, it's already the 22nd. In Berlin, daylight saving time starts on 29 March and ends on 25 October.
    expect(resolve({ range: 'today' }, momentAt(NOW, 'Pacific/Auckland'))).toEqual([
      '2026-11-21T11:00Z',
      '2026-11-21T18:45Z',
    ]);
    const afterChange = momentAt(Date.parse('2026-10-26T09:00:00Z'), 'Europe/Berlin');
    expect(resolve({ range: 'yesterday' }, afterChange)).toEqual(['2026-10-24T22:00Z', '2026-10-25T23:00Z']);
    expect(resolve({ range: 'today' }, momentAt(Date.parse('2026-03-29T00:00:00Z'), 'Europe/Berlin'))).toEqual([
      '2026-03-28T23:00Z',
      '2026-03-29T00:15Z',
    ]);
    expect(resolve({ range: '12mo' }, momentAt(NOW, 'Europe/Berlin'))).toEqual([
      '2025-11-20T23:00Z',
      '2026-11-21T18:45Z',
    ]);
    const leapDay = momentAt(Date.parse('2028-02-29T12:00:00Z'));
    expect(resolve({ range: '12mo' }, leapDay)[0]).toBe('2027-02-28T00:00Z');
  });

  it('starts "all" at the first visit, at most 20 years ago', () => {
    expect(resolve({ range: 'all' }, momentAt(NOW, 'UTC', '2015-05-17T10:00:00.000Z'))).toEqual([
      '2015-05-17T10:00Z',
      '2026-11-21T18:45Z',
    ]);
    for (const first of [null, '2026-11-21T18:30:00.000Z', '2030-01-01T00:00:00.000Z']) {
      expect(resolve({ range: 'all' }, momentAt(NOW, 'UTC', first))[0]).toBe('2026-11-20T18:45Z');
    }
    const [from, to] = resolve({ range: 'all' }, momentAt(NOW, 'UTC', '1999-01-01T00:00:00.000Z'));
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(7_305);
  });

  it('preserves relative ranges in links', () => {
    const range = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' };
    expect(linkedRange({ range: '7d' }, range)).toEqual({ range: '7d' });
    expect(linkedRange({}, range)).toEqual({ range: '24h' });
    expect(linkedRange({ range: '7d', compare: 'year' }, range)).toEqual({ range: '7d', compare: 'year' });
    expect(linkedRange(range, { ...range })).toEqual(range);
  });
});

describe('neighborOf', () => {
  const neighbor = (search: RangeSearch, direction: -1 | 1, timeZone = 'UTC', now = NOW): [string, string] | null => {
    const moment = momentAt(now, timeZone);
    const range = getNeighborRange(search, direction, { ...moment, shown: resolveRange(search, moment) });
    return range && resolve(range, moment);
  };

  it('returns the preceding range of equal length', () => {
    expect(neighbor({ range: '24h' }, -1)).toEqual(['2026-11-19T18:45Z', '2026-11-20T18:45Z']);
    expect(neighbor({ from: '2026-11-01T10:00:00Z', to: '2026-11-01T12:00:00Z' }, -1)).toEqual([
      '2026-11-01T08:00Z',
      '2026-11-01T10:00Z',
    ]);
  });

  it('shifts whole-day ranges by days, across DST changes', () => {
    const now = Date.parse('2026-10-26T09:00:00Z');
    expect(neighbor({ range: 'today' }, -1, 'Europe/Berlin', now)).toEqual(['2026-10-24T22:00Z', '2026-10-25T23:00Z']);
    expect(neighbor({ range: '7d' }, -1, 'Europe/Berlin', now)).toEqual(['2026-10-12T22:00Z', '2026-10-19T22:00Z']);
    expect(neighbor({ range: 'yesterday' }, -1, 'Europe/Berlin', now)).toEqual([
      '2026-10-23T22:00Z',
      '2026-10-24T22:00Z',
    ]);
    expect(neighbor({ range: 'yesterday' }, 1, 'Europe/Berlin', now)).toEqual([
      '2026-10-25T23:00Z',
      '2026-10-26T23:00Z',
    ]);
    const week = { from: '2026-10-18T22:00:00.000Z', to: '2026-10-25T23:00:00.000Z' };
    expect(neighbor(week, -1, 'Europe/Berlin', now)).toEqual(['2026-10-11T22:00Z', '2026-10-18T22:00Z']);
  });

  it('never returns a range that extends into the future', () => {
    for (const range of ['1h', 'today', '24h', '30d', '12mo'] as const) expect(neighbor({ range }, 1)).toBeNull();
    const lastWeek = { from: '2026-11-09T18:45:00.000Z', to: '2026-11-16T18:45:00.000Z' };
    expect(neighbor(lastWeek, 1)).toEqual(['2026-11-14T18:45Z', '2026-11-21T18:45Z']);
    expect(neighbor({ from: '2026-11-21T00:00:00.000Z', to: '2026-11-22T00:00:00.000Z' }, 1)).toBeNull();
    expect(neighbor({ range: 'all' }, 1)).toBeNull();
    expect(neighbor({ range: 'all' }, -1)).toBeNull();
  });
});
