import { RelativeTime } from './relative-time.js';

/** Expiry of a token or key, to append to other facts. Renders nothing if it doesn't expire. */
export function Expires({ time }: { time: string | null }) {
  if (time === null) return null;
  return (
    <>
      , {Date.parse(time) <= Date.now() ? 'expired' : 'expires'} <RelativeTime time={time} />
    </>
  );
}

/** Returns the end of a day (UTC) in the API's format, or null for an empty field. */
export const endOfDay = (day: string): string | null => (day === '' ? null : `${day}T23:59:59Z`);

/** Returns an error message for an expiry day in the past, otherwise null. */
export const expiryFault = (day: string): string | null =>
  day !== '' && Date.parse(endOfDay(day)!) <= Date.now() ? 'Choose today or a later day.' : null;
