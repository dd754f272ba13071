import type { HistogramMinute } from '../../api/client.js';
import { formatTime } from '../../format/time.js';

export interface MinutesProps {
  minutes: readonly HistogramMinute[];
  timeZone: string;
}

export const hourAndMinute = (time: string, timeZone: string): string =>
  formatTime(time, timeZone, { timeStyle: 'short' });
