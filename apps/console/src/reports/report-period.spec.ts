import { getFirstDay, getNextReportTime, getReportedPeriod, type ZonedSchedule } from './report-period.js';

const BERLIN = 'Europe/Berlin';
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
  ['last_week', '2026-11-19', '2026-11-26', '2026-11-12', 'week'],
  ['last_month', '2026-10-01', '2026-11-01', '2026-09-01', 'month'],
  ['last_30_days', '2026-10-27', '2026-11-26', '2026-09-27', '30 days'],
] as const)('covers the chosen period (%s)', (period, from, to, start, unit) => {
  const reported = getReportedPeriod(weekly(4), NOW, period);
  const { current, previous } = reported;
  expect([
    ...[current.from, current.to, previous.from].map((time) => getFirstDay(BERLIN, time)),
    reported.unit,
  ]).toEqual([from, to, start, unit]);
});
