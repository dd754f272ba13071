import { RelativeTime } from './relative-time.js';

/** When a token or key stops working, after other facts; nothing where it doesn't. */
export function Expires({ time }: { time: string | null }) {
  if (time === null) return null;
  return (
    <>
      , {Date.parse(time) <= Date.now() ? 'expired' : 'expires'} <RelativeTime time={time} />
    </>
  );
}

/** The end of a day (UTC) that a form has, as the server takes it; null for a day that isn't given. */
export const endOfDay = (day: string): string | null => (day === '' ? null : `${day}T23:59:59Z`);

/** @returns what is wrong with a day that a form has. */
export const expiryFault = (day: string): string | null =>
  day !== '' && Date.parse(endOfDay(day)!) <= Date.now() ? 'Choose today or a later day.' : null;
