import type { HistogramMinute } from '../../api/client.js';
import { formatted } from '../../format/time.js';

export interface MinutesProps {
  minutes: readonly HistogramMinute[];
  timeZone: string;
}

export const hourAndMinute = (time: string, timeZone: string): string =>
  formatted(time, timeZone, { timeStyle: 'short' });
