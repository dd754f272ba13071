import { formatItemTime, formatTick, selectTicks } from './chart-times.js';

const createStarts = (from: string, count: number, minutes: number): string[] =>
  Array.from({ length: count }, (_, index) => new Date(Date.parse(from) + index * minutes * 60_000).toISOString());

const tickLabels = (from: string, count: number, bucket: '15m' | '1h' | '1d', timeZone: string): string[] => {
  const times = { bucket, projectZone: timeZone, timeZone };
  const minutes = { '15m': 15, '1h': 60, '1d': 1_440 }[bucket];
  return selectTicks(createStarts(from, count, minutes), times).map((time) => formatTick(time, times));
};

describe('tick labels', () => {
  it('labels the days of a week', () =>
    expect(tickLabels('2026-11-14T20:00:00Z', 168, '1h', 'Europe/Berlin')).toEqual([
      'Sun 15',
      'Mon 16',
      'Tue 17',
      'Wed 18',
      'Thu 19',
      'Fri 20',
      'Sat 21',
    ]));

  it('labels the hours of a day at even intervals', () =>
    expect(tickLabels('2026-11-20T20:15:00Z', 96, '15m', 'UTC')).toEqual([
      '21:00',
      'Sat 21',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
      '15:00',
      '18:00',
    ]));

  it('labels quarter hours', () =>
    expect(tickLabels('2026-11-20T20:15:00Z', 4, '15m', 'UTC')).toEqual(['20:15', '20:30', '20:45', '21:00']));

  it('labels every item if none starts on the hour', () =>
    expect(tickLabels('2026-11-14T20:00:00Z', 48, '1h', 'Asia/Kathmandu')).toHaveLength(48));

  it('labels every day of a month', () => expect(tickLabels('2026-11-01T00:00:00Z', 30, '1d', 'UTC')).toHaveLength(30));
});

describe('itemText', () => {
  const times = { projectZone: 'Europe/Berlin', timeZone: 'UTC' } as const;

  it.each([
    ['15m', '2026-11-21T18:30:00Z', 'Sat, Nov 21, 2026, 18:30 – 18:45'],
    ['1d', '2026-11-20T23:00:00Z', 'Sat, Nov 21, 2026'],
    // Daylight saving time ends on the last day.
    ['1w', '2026-10-18T22:00:00Z', 'Oct 19 – 25, 2026'],
    ['1w', '2026-12-27T23:00:00Z', 'Dec 28, 2026 – Jan 3, 2027'],
    ['1mo', '2026-10-31T23:00:00Z', 'November 2026'],
  ] as const)('formats a %s item at %s as %s', (bucket, time, text) =>
    expect(formatItemTime(time, { ...times, bucket }).replaceAll(/[\u2009\u202f]/g, ' ')).toBe(text),
  );
});
