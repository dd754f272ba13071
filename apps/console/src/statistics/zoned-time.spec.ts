import { ZonedTime } from './zoned-time.js';

const HOUR_MS = 3_600_000;
const at = (text: string): number => Date.parse(text);
const iso = (time: number): string => new Date(time).toISOString();

/** Returns the starts and lengths in hours of `count` days, beginning with the day that contains `from`. */
function days(zone: string, from: string, count: number): [string, number][] {
  const time = ZonedTime.forZone(zone);
  let start = time.startOfDay(at(from));
  return Array.from({ length: count }, () => {
    const next = time.nextDay(start);
    const item: [string, number] = [iso(start), (next - start) / HOUR_MS];
    start = next;
    return item;
  });
}

describe('ZonedTime', () => {
  it('returns 23-hour and 25-hour days when clocks change', () => {
    expect(days('Europe/Berlin', '2026-10-24T12:00:00Z', 3)).toEqual([
      ['2026-10-23T22:00:00.000Z', 24],
      ['2026-10-24T22:00:00.000Z', 25],
      ['2026-10-25T23:00:00.000Z', 24],
    ]);
    expect(days('Europe/Berlin', '2026-03-29T12:00:00Z', 2)).toEqual([
      ['2026-03-28T23:00:00.000Z', 23],
      ['2026-03-29T22:00:00.000Z', 24],
    ]);
  });

  it('supports 45-minute offsets', () => {
    const kathmandu = ZonedTime.forZone('Asia/Kathmandu');
    expect(kathmandu.offset(at('2026-01-01T00:00:00Z'))).toBe(5.75 * HOUR_MS);
    expect(iso(kathmandu.startOfHour(at('2026-01-01T10:20:00Z')))).toBe('2026-01-01T10:15:00.000Z');
    expect(iso(kathmandu.nextHour(at('2026-01-01T10:15:00Z')))).toBe('2026-01-01T11:15:00.000Z');
    expect(days('Asia/Kathmandu', '2026-01-01T18:14:59Z', 2)).toEqual([
      ['2025-12-31T18:15:00.000Z', 24],
      ['2026-01-01T18:15:00.000Z', 24],
    ]);
    // The Chatham Islands are 12:45 hours ahead of UTC in winter, and 13:45 hours in summer.
    expect(days('Pacific/Chatham', '2026-04-04T12:00:00Z', 2)).toEqual([
      ['2026-04-04T10:15:00.000Z', 25],
      ['2026-04-05T11:15:00.000Z', 24],
    ]);
  });

  it('starts a day that has no midnight at its first moment', () => {
    // Clocks in Cairo go forward from 24:00 to 01:00, and back from 24:00 to 23:00.
    expect(days('Africa/Cairo', '2026-04-23T12:00:00Z', 2)).toEqual([
      ['2026-04-22T22:00:00.000Z', 24],
      ['2026-04-23T22:00:00.000Z', 23],
    ]);
    expect(days('Africa/Cairo', '2026-10-29T12:00:00Z', 2)).toEqual([
      ['2026-10-28T21:00:00.000Z', 25],
      ['2026-10-29T22:00:00.000Z', 24],
    ]);
  });

  it('supports half-hour clock changes', () => {
    const lordHowe = ZonedTime.forZone('Australia/Lord_Howe');
    // 02:00 becomes 02:30 at 2026-10-03T15:30Z.
    let time = lordHowe.startOfHour(at('2026-10-03T14:45:00Z'));
    const starts = [time];
    for (let count = 0; count < 3; count += 1) starts.push((time = lordHowe.nextHour(time)));
    expect(starts.map(iso)).toEqual([
      '2026-10-03T14:30:00.000Z',
      '2026-10-03T15:30:00.000Z',
      '2026-10-03T16:00:00.000Z',
      '2026-10-03T17:00:00.000Z',
    ]);
  });

  it('starts weeks on Monday and months on the first, across clock changes', () => {
    const berlin = ZonedTime.forZone('Europe/Berlin');
    const weeks = [berlin.startOfWeek(at('2026-10-25T22:59:59Z'))];
    for (let count = 0; count < 2; count += 1) weeks.push(berlin.nextWeek(weeks.at(-1)!));
    expect(weeks.map(iso)).toEqual([
      '2026-10-18T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
      '2026-11-01T23:00:00.000Z',
    ]);
    const months = [berlin.startOfMonth(at('2026-02-28T22:59:59Z'))];
    for (let count = 0; count < 3; count += 1) months.push(berlin.nextMonth(months.at(-1)!));
    expect(months.map(iso)).toEqual([
      '2026-01-31T23:00:00.000Z',
      '2026-02-28T23:00:00.000Z',
      '2026-03-31T22:00:00.000Z',
      '2026-04-30T22:00:00.000Z',
    ]);
    // Samoa skipped 2011-12-30 when it moved across the International Date Line.
    const apia = ZonedTime.forZone('Pacific/Apia');
    expect(iso(apia.nextDay(at('2011-12-29T12:00:00Z')))).toBe('2011-12-30T10:00:00.000Z');
    expect(iso(apia.nextWeek(at('2011-12-29T12:00:00Z')))).toBe('2012-01-01T10:00:00.000Z');
  });

  it.each(['UTC', 'America/New_York', 'America/St_Johns', 'Asia/Kolkata', 'Pacific/Apia', 'America/Sao_Paulo'])(
    'splits a year in %s into days without gaps',
    (zone) => {
      const time = ZonedTime.forZone(zone);
      const end = at('2027-01-01T12:00:00Z');
      for (let day = time.startOfDay(at('2026-01-01T12:00:00Z')); day < end;) {
        const next = time.nextDay(day);
        expect(time.startOfDay(day)).toBe(day);
        expect(time.startOfDay(next - 1)).toBe(day);
        expect([23, 24, 25]).toContain((next - day) / HOUR_MS);
        day = next;
      }
    },
  );
});
