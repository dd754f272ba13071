import { type ItemRange, type Slice, splitAtItems } from '#libs/visit-store';
import type { Series } from './time-range.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Slice lengths are multiples of these units, so most slices can be counted from roll-ups. */
const UNITS_MS = { '1d': HOUR_MS, '1w': DAY_MS, '1mo': DAY_MS } as const;

/**
 * Divides the items of a series, so that it has about `wanted` slices. Days are split into whole hours, weeks and
 * months into whole days. Series with shorter items stay the same.
 */
export function slicedSeries(series: Series, wanted: number): Series {
  const { bucket, starts, to } = series;
  if (bucket === '15m' || bucket === '1h') return series;
  const unit = UNITS_MS[bucket];
  const parts = Math.max(1, Math.floor(wanted / starts.length));
  const cuts = starts.flatMap((start, item) => {
    const length = (starts[item + 1] ?? to) - start;
    const step = Math.ceil(length / parts / unit) * unit;
    return Array.from({ length: Math.ceil(length / step) }, (_, part) => start + part * step);
  });
  return { ...series, starts: cuts };
}

interface SeriesSlice extends ItemRange {
  /** Index in the finer series. */
  slice: number;
}

/** Returns the slices of a finer series, with the index of the original item that contains each. */
export function slicesOf(sliced: Series, { from, to, starts }: Series): SeriesSlice[] {
  let item = 0;
  return splitAtItems([{ from, to }], sliced.starts).map((part) => {
    while ((starts[item + 1] ?? Infinity) <= part.from) item += 1;
    return { from: part.from, to: part.to, item, slice: part.item };
  });
}

/**
 * Returns the slices that have visits, with their counts.
 *
 * @param share share of the visits to read, or null for all.
 */
export function countedSlices(
  slices: readonly SeriesSlice[],
  counts: readonly { item: number; visits: number }[],
  share: number | null,
): Slice[] {
  const visits = new Map<number, number>();
  for (const count of counts) visits.set(count.item, (visits.get(count.item) ?? 0) + count.visits);
  return slices.flatMap((slice) => {
    const counted = visits.get(slice.slice) ?? 0;
    if (counted === 0) return [];
    return { ...slice, counted, max: share === null ? null : Math.ceil(share * counted) };
  });
}
