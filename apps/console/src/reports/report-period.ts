import type { ReportSchedule } from '#libs/contracts';
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

/** Returns the last complete period, compared with the period before it. */
export function getReportedPeriod(schedule: ZonedSchedule, now: number): ComparedSeries {
  const zone = schedule.time_zone;
  const to = getPeriodStart(schedule, now);
  const from = getPeriodStart(schedule, to - 1);
  const start = getPeriodStart(schedule, from - 1);
  return { current: createSeries({ from, to }, zone), previous: createSeries({ from: start, to: from }, zone) };
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
  return day;
}
