import type { Range } from '../api/statistics.js';

/** Length of the time slots that peaks are counted in. */
const PEAK_MS = 10_000;

/** Returns the time range of a peak. @param time Its start in ISO 8601. */
export const toPeakRange = (time: string): Range => ({
  from: time,
  to: new Date(Date.parse(time) + PEAK_MS).toISOString(),
});

export const toShare = (count: number, of: number): number | null => (of === 0 ? null : count / of);
