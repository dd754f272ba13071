import { formatTime } from '../format/time.js';

/** Returns a day such as "2026-11-21" as "Nov 21, 2026". Empty if there is none. */
export const formatInputDay = (day: string): string =>
  day === '' ? '' : formatTime(day, 'UTC', { dateStyle: 'medium' });
