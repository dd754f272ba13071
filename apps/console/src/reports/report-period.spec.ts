import {
  getFirstDay,
  getNextReportTime,
  getReportedPeriod,
  toRequestedPeriod,
  type ZonedSchedule,
} from './report-period.js';

const BERLIN = 'Europe/Berlin';
const DAY_MS = 86_400_000;
/** Thursday. */
const NOW = Date.parse('2026-11-26T12:00:00Z');
const weekly = (weekday: number): ZonedSchedule => ({ frequency: 'weekly', weekday, time_zone: BERLIN });
const MONTHLY: ZonedSchedule = { frequency: 'monthly', weekday: 1, time_zone: BERLIN };

it.each([
  [weekly(1), '2026-11-30T07:00:00.000Z'],
  [weekly(4), '2026-12-03T07:00:00.000Z'],
  [weekly(5), '2026-11-27T07:00:00.000Z'],
  [MONTHLY, '2026-12-01T07:00:00.000Z'],
])('sends the next report at 8:00 in the time zone (%j)', (schedule, expected) =>
  expect(new Date(getNextReportTime(schedule, NOW)).toISOString()).toBe(expected),
);

it('sends a report due today until 8:00', () => {
  const due = Date.parse('2026-11-26T07:00:00Z');
  expect(getNextReportTime(weekly(4), due - 1)).toBe(due);
  expect(getNextReportTime(weekly(4), due)).toBe(Date.parse('2026-12-03T07:00:00Z'));
});

it.each([
  [weekly(1), '2026-11-16', '2026-11-23', '2026-11-09'],
  [weekly(4), '2026-11-19', '2026-11-26', '2026-11-12'],
  [weekly(7), '2026-11-15', '2026-11-22', '2026-11-08'],
  [MONTHLY, '2026-10-01', '2026-11-01', '2026-09-01'],
])('compares the last full period with the one before it (%j)', (schedule, from, to, start) => {
  const { current, previous } = getReportedPeriod(schedule, NOW);
  expect([current.from, current.to, previous.from, previous.to].map((time) => getFirstDay(BERLIN, time))).toEqual([
    from,
    to,
    start,
    from,
  ]);
});

it.each([
  ['last_week', '2026-11-19', '2026-11-26', '2026-11-12', 'the previous week'],
  ['last_month', '2026-10-01', '2026-11-01', '2026-09-01', 'the previous month'],
  ['last_30_days', '2026-10-27', '2026-11-26', '2026-09-27', 'the previous 30 days'],
  [{ from: NOW - 2 * DAY_MS, to: NOW }, '2026-11-24', '2026-11-26', '2026-11-22', 'the period before'],
] as const)('covers the chosen period (%j)', (period, from, to, start, comparedWith) => {
  const reported = getReportedPeriod(weekly(4), NOW, period);
  const { current, previous } = reported;
  expect([
    ...[current.from, current.to, previous.from].map((time) => getFirstDay(BERLIN, time)),
    reported.comparedWith,
  ]).toEqual([from, to, start, comparedWith]);
});

it('compares the week so far with the same part of the week before', () => {
  const { current, previous } = getReportedPeriod(weekly(3), NOW, 'this_week');
  expect([current.from, current.to, previous.from, previous.to]).toEqual(
    ['2026-11-24T23:00Z', '2026-11-26T12:00Z', '2026-11-17T23:00Z', '2026-11-19T12:00Z'].map(Date.parse),
  );
});

it('reads a custom period, which can be at most 92 days long', () => {
  const read = (days: number) => toRequestedPeriod({ period: 'last_week', from: NOW - days * DAY_MS, to: NOW }, NOW);
  expect(read(92)).toEqual({ from: NOW - 92 * DAY_MS, to: NOW });
  expect(() => read(93)).toThrow(expect.objectContaining({ type: 'invalid-body' }));
  expect(toRequestedPeriod({ period: 'last_week', from: null, to: null }, NOW)).toBe('last_week');
});
