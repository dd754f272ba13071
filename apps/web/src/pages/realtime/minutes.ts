import type { IdentificationResult } from '#libs/agents/vocabulary';
import type { HistogramMinute } from '../../api/client.js';
import { countVerdicts } from '../../charts/verdict-series.js';
import { formatTime } from '../../format/time.js';

export interface MinutesProps {
  minutes: readonly HistogramMinute[];
  timeZone: string;
}

export const hourAndMinute = (time: string, timeZone: string): string =>
  formatTime(time, timeZone, { timeStyle: 'short' });

/** Returns a minute's visits by result. */
export const countResults = ({
  visits,
  agents,
  ...results
}: HistogramMinute): Record<IdentificationResult, number> => ({
  ...countVerdicts({ ...results, visits: agents }),
  unknown_agent: visits - agents,
});
