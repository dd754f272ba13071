import { MAX_REPORT_DAYS, type ReportPeriod, type ReportSchedule } from '#libs/contracts';
import { invalidQueryError } from '#libs/platform';
import {
  createSeries,
  resolveComparisonRange,
  resolveRange,
  type ComparedSeries,
  type TimeRange,
} from '../statistics/time-range.js';
import { ZonedTime } from '../statistics/zoned-time.js';

/** Time of day at which reports are sent. By then, all visits of the previous day are counted. */
const DELAY_MS = 8 * 3_600_000;
const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

/** Schedule with a time zone, which is the project's by default. */
export type ZonedSchedule = Omit<ReportSchedule, 'time_zone'> & { time_zone: string };

/** Returns when the next report is due, in milliseconds since the epoch. */
export function getNextReportTime(schedule: ZonedSchedule, now: number): number {
  const current = getPeriodStart(schedule, now);
  return current + DELAY_MS > now ? current + DELAY_MS : getNextPeriodStart(schedule, current) + DELAY_MS;
}

/**
 * Returns the first day of a period in local time, such as `2026-11-16`.
 *
 * @param from Start of the period in milliseconds since the epoch.
 */
export const getFirstDay = (timeZone: string, from: number): string =>
  new Date(from + ZonedTime.forZone(timeZone).offset(from)).toISOString().slice(0, 10);

/** Requested period of a report. Null for the schedule's. */
export type RequestedPeriod = ReportPeriod | TimeRange | null;

/**
 * Returns the period that a request asks for. A custom one is widened to full 15-minute buckets.
 *
 * @throws {ProblemError} 422 if the custom period is invalid or too long.
 */
export function toRequestedPeriod(
  { period, from, to }: { period: ReportPeriod | null; from: number | null; to: number | null },
  now: number,
): RequestedPeriod {
  if (from === null && to === null) return period;
  const range = resolveRange({ from, to }, now);
  if (range.to - range.from <= MAX_REPORT_DAYS * DAY_MS) return range;
  throw invalidQueryError([{ pointer: '/from', detail: `must be at most ${MAX_REPORT_DAYS} days before to` }]);
}

/** Period that a report covers, compared with the one before it. */
export interface ReportedPeriod extends ComparedSeries {
  /** Kind of report, such as "Weekly report". */
  name: string;
  /** Describes the previous period, as in "the previous week". */
  comparedWith: string;
}

const ROLLING_DAYS = 30;

/**
 * Returns the period of a report.
 *
 * @param requested Default: the last complete period of the schedule. Weeks start on the schedule's weekday.
 */
export function getReportedPeriod(
  schedule: ZonedSchedule,
  now: number,
  requested: RequestedPeriod = null,
): ReportedPeriod {
  const zone = schedule.time_zone;
  const compare = (current: TimeRange, previous: TimeRange, name: string, comparedWith: string): ReportedPeriod => ({
    current: createSeries(current, zone),
    previous: createSeries(previous, zone),
    name,
    comparedWith,
  });
  if (typeof requested === 'object' && requested !== null) {
    return compare(requested, resolveComparisonRange(requested, null), 'Report', 'the period before');
  }
  if (requested === 'last_30_days') {
    const zoned = ZonedTime.forZone(zone);
    const to = zoned.startOfDay(now);
    const from = addDays(zoned, to, -ROLLING_DAYS);
    const start = addDays(zoned, from, -ROLLING_DAYS);
    const days = `${ROLLING_DAYS} days`;
    return compare({ from, to }, { from: start, to: from }, `Report on ${days}`, `the previous ${days}`);
  }
  if (requested === 'this_week') {
    const weekly = { ...schedule, frequency: 'weekly' as const };
    const from = getPeriodStart(weekly, now);
    const length = Math.max(QUARTER_MS, Math.floor((now - from) / QUARTER_MS) * QUARTER_MS);
    const start = getPeriodStart(weekly, from - 1);
    const [current, previous] = [from, start].map((time) => ({ from: time, to: time + length })) as [
      TimeRange,
      TimeRange,
    ];
    return compare(current, previous, 'This week so far', 'the same time last week');
  }
  const frequency = requested === null ? schedule.frequency : requested === 'last_month' ? 'monthly' : 'weekly';
  const chosen = { ...schedule, frequency };
  const to = getPeriodStart(chosen, now);
  const from = getPeriodStart(chosen, to - 1);
  const unit = frequency === 'monthly' ? 'month' : 'week';
  return compare(
    { from, to },
    { from: getPeriodStart(chosen, from - 1), to: from },
    frequency === 'monthly' ? 'Monthly report' : 'Weekly report',
    `the previous ${unit}`,
  );
}

/** Returns the start of the month, or of the week that starts on the schedule's weekday. */
function getPeriodStart({ frequency, weekday, time_zone: zone }: ZonedSchedule, time: number): number {
  const zoned = ZonedTime.forZone(zone);
  if (frequency === 'monthly') return zoned.startOfMonth(time);
  const monday = zoned.startOfWeek(time);
  const start = addDays(zoned, monday, weekday - 1);
  return start <= time ? start : addDays(zoned, zoned.startOfWeek(monday - 1), weekday - 1);
}

function getNextPeriodStart({ frequency, time_zone: zone }: ZonedSchedule, start: number): number {
  const zoned = ZonedTime.forZone(zone);
  return frequency === 'monthly' ? zoned.nextMonth(start) : addDays(zoned, start, 7);
}

function addDays(zoned: ZonedTime, start: number, days: number): number {
  let day = start;
  for (let count = 0; count < days; count += 1) day = zoned.nextDay(day);
  for (let count = 0; count > days; count -= 1) day = zoned.startOfDay(day - 1);
  return day;
}
