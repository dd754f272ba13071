import type { Overview } from '../../api/statistics.js';
import { formatTime } from '../../format/time.js';

/** Day with far more visits by agents than usual. */
export interface Spike {
  from: string;
  to: string;
  visits: number;
  /** Median of all full days in the range. */
  usual: number;
  /** Agent type that explains at least half of the additional visits, or null if there is none. */
  type: string | null;
}

const MIN_DAYS = 7;
const MAX_SPIKES = 2;
const MIN_EXCESS_VISITS = 50;
const MIN_EXCESS_SHARE = 0.15;
/** Minimum excess in units of a typical day's distance from the median. Ignores ordinary variation. */
const MIN_EXCESS_DEVIATIONS = 5;
const MIN_TYPE_SHARE = 0.5;

type Day = Overview['series'][number];

/**
 * Returns the days that stand out of the chart, highest first.
 *
 * @param now Milliseconds since the epoch. The current day is ignored.
 */
export function findSpikes({ series, bucket, from, to }: Overview, now: number): Spike[] {
  const days = series
    .map((day, index) => ({ day, from: day.time, to: series[index + 1]?.time ?? to }))
    .filter((day) => Date.parse(day.from) >= Date.parse(from) && Date.parse(day.to) <= now);
  if (bucket !== '1d' || days.length < MIN_DAYS) return [];
  const usual = getMedian(days.map(({ day }) => countAgentVisits(day)));
  const deviation = getMedian(days.map(({ day }) => Math.abs(countAgentVisits(day) - usual)));
  const minExcess = Math.max(MIN_EXCESS_VISITS, MIN_EXCESS_SHARE * usual, MIN_EXCESS_DEVIATIONS * deviation);
  return days
    .map(({ day, ...range }) => ({ day, ...range, visits: countAgentVisits(day), usual }))
    .filter(({ visits }) => visits - usual >= minExcess)
    .toSorted((one, other) => other.visits - one.visits)
    .slice(0, MAX_SPIKES)
    .map(({ day, ...spike }) => ({
      ...spike,
      type: findType(
        day,
        days.map((one) => one.day),
        spike.visits - usual,
      ),
    }));
}

function findType(day: Day, days: readonly Day[], excess: number): string | null {
  const found = Object.entries(day.by_type).find(([type, visits]) => {
    const usual = getMedian(days.map(({ by_type: byType }) => byType[type] ?? 0));
    return type !== '' && visits - usual >= MIN_TYPE_SHARE * excess;
  });
  return found?.[0] ?? null;
}

const countAgentVisits = ({ visits, by_type: byType }: Day): number => visits - (byType[''] ?? 0);

function getMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Returns text such as "1.7×". */
export const formatRatio = ({ visits, usual }: Spike): string => `${(visits / usual).toFixed(1)}×`;

/** Returns text such as "Nov 30". */
export const formatSpikeDay = ({ from }: Spike, timeZone: string): string =>
  formatTime(from, timeZone, { day: 'numeric', month: 'short' });

/** Completes a sentence about a day's visits, such as "were 1.7 times the usual number". */
export const describeSpike = ({ visits, usual }: Spike): string =>
  `were ${(visits / usual).toFixed(1)} times the usual number`;
