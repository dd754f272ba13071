import { formatted } from '../../shell/moment.js';

export const hourAndMinute = (time: string, timeZone: string): string =>
  formatted(time, timeZone, { timeStyle: 'short' });
