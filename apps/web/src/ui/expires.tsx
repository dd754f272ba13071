import { DayInput } from '../range/day-input.js';
import type { DayInputProps } from '../range/day-input-calendar.js';
import { addDays, startOfDay, toDay } from '../range/zoned-day.js';
import { RelativeTime } from './relative-time.js';

/** Expiry of a token or key, appended to other details. Renders nothing if it doesn't expire. */
export function ExpiryText({ time }: { time: string | null }) {
  if (time === null) return null;
  return (
    <>
      , {Date.parse(time) <= Date.now() ? 'expired' : 'expires'} <RelativeTime time={time} />
    </>
  );
}

/** Field for the last day on which a key or token works. Empty for one that doesn't expire. */
export function ExpiryInput({ timeZone, ...props }: Omit<DayInputProps, 'label'> & { timeZone: string }) {
  return (
    <DayInput
      {...props}
      label="Expires after"
      description={`At the end of the day. Time zone: ${timeZone}.`}
      placeholder="Never"
      min={toDay(new Date().toISOString(), timeZone)}
      isOptional
    />
  );
}

/** Returns the end of a day in the given time zone, or null for an empty field. */
export const endOfDay = (day: string, timeZone: string): string | null =>
  day === '' ? null : startOfDay(addDays(day, 1), timeZone);
