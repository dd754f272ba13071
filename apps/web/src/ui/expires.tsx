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

/** Returns the end of a UTC day in the API's format, or null for an empty field. */
export const endOfDay = (day: string): string | null => (day === '' ? null : `${day}T23:59:59Z`);

/** Returns an error message if the expiry day is in the past, or null otherwise. */
export const validateExpiry = (day: string): string | null =>
  day !== '' && Date.parse(endOfDay(day)!) <= Date.now() ? 'Enter today or a later date.' : null;
