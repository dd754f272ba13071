import type { ReportPeriod, ReportSchedule } from '#libs/contracts';
import { createSeries, type ComparedSeries } from '../statistics/time-range.js';
import { ZonedTime } from '../statistics/zoned-time.js';

/** Time of day at which reports are sent. By then, all visits of the previous day are counted. */
const DELAY_MS = 8 * 3_600_000;

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

/** Period that a report covers, compared with the one before it. */
export interface ReportedPeriod extends ComparedSeries {
  /** Length of the period, such as "week". */
  unit: string;
}

const ROLLING_DAYS = 30;

/**
 * Returns the period of a report.
 *
 * @param period Default: the last complete period of the schedule. The last complete week starts on the schedule's
 * weekday.
 */
export function getReportedPeriod(
  schedule: ZonedSchedule,
  now: number,
  period: ReportPeriod | null = null,
): ReportedPeriod {
  const zone = schedule.time_zone;
  const compare = (start: number, from: number, to: number, unit: string): ReportedPeriod => ({
    current: createSeries({ from, to }, zone),
    previous: createSeries({ from: start, to: from }, zone),
    unit,
  });
  if (period === 'last_30_days') {
    const zoned = ZonedTime.forZone(zone);
    const to = zoned.startOfDay(now);
    const from = addDays(zoned, to, -ROLLING_DAYS);
    return compare(addDays(zoned, from, -ROLLING_DAYS), from, to, `${ROLLING_DAYS} days`);
  }
  const frequency = period === null ? schedule.frequency : period === 'last_month' ? 'monthly' : 'weekly';
  const chosen = { ...schedule, frequency };
  const to = getPeriodStart(chosen, now);
  const from = getPeriodStart(chosen, to - 1);
  return compare(getPeriodStart(chosen, from - 1), from, to, frequency === 'monthly' ? 'month' : 'week');
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
