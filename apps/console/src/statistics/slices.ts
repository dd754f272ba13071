import { type ItemRange, type Slice, splitAtItems } from '#libs/visit-store';
import type { Series } from './time-range.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Slices begin whole units after their items do, for which there are sums mostly. */
const UNITS_MS = { '1d': HOUR_MS, '1w': DAY_MS, '1mo': DAY_MS } as const;

/**
 * Returns the series cut finer, so that there are about as many slices as wanted: days into parts of whole hours, weeks and
 * months into parts of whole days. Shorter items stay as they are.
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

/** A part of a range in a series that is cut finer. */
interface SeriesSlice extends ItemRange {
  /** Its index in the finer series. */
  slice: number;
}

/** The slices of a series that is cut finer, each with the item of the other one that it lies in. */
export function slicesOf(sliced: Series, { from, to, starts }: Series): SeriesSlice[] {
  let item = 0;
  return splitAtItems([{ from, to }], sliced.starts).map((part) => {
    while ((starts[item + 1] ?? Infinity) <= part.from) item += 1;
    return { from: part.from, to: part.to, item, slice: part.item };
  });
}

/** The slices that have visits, each with its count and the share of it that is read; null: all. */
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
