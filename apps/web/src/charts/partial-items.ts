import type { Range } from '../range/range.js';
import { getItemEnd, type ChartTimes } from './chart-times.js';

const BUCKET_LABELS = { '15m': 'quarter hour', '1h': 'hour', '1d': 'day', '1w': 'week', '1mo': 'month' } as const;

interface PartialItems {
  /** True if the range starts partway through the first item. */
  isFirst: boolean;
  /** How the last item ends: with its bucket, cut off by the range, or still in progress. */
  last: 'full' | 'cut' | 'unfinished';
}

/** Determines which items of a chart cover only part of their bucket. */
export function findPartialItems(
  starts: readonly string[],
  { from, to }: Range,
  times: ChartTimes,
  now: number,
): PartialItems {
  const [first, last] = [starts[0], starts.at(-1)];
  if (first === undefined || last === undefined) return { isFirst: false, last: 'full' };
  const isCut = getItemEnd(last, times) > Date.parse(to);
  return {
    isFirst: Date.parse(first) < Date.parse(from),
    last: Date.parse(to) > now ? 'unfinished' : isCut ? 'cut' : 'full',
  };
}

export const toPartialIndexes = ({ isFirst, last }: PartialItems, count: number): number[] => [
  ...(isFirst ? [0] : []),
  ...(last === 'full' ? [] : [count - 1]),
];

/** Returns a sentence about the partial items, or null if there are none. */
export function describePartialItems({ isFirst, last }: PartialItems, bucket: ChartTimes['bucket']): string | null {
  const label = BUCKET_LABELS[bucket];
  if (isFirst && last === 'cut') return `The first and last ${label} are incomplete`;
  if (isFirst && last === 'unfinished') return `The first ${label} is incomplete, and the last is still in progress`;
  if (isFirst) return `The first ${label} is incomplete`;
  if (last === 'cut') return `The last ${label} is incomplete`;
  return last === 'unfinished' ? `The last ${label} is still in progress` : null;
}
