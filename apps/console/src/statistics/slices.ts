import { type ItemRange, type Slice, splitAtItems } from '#libs/visit-store';
import type { Series } from './time-range.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Slice lengths are multiples of these units, so most slices can be counted from roll-ups. */
const SLICE_UNITS_MS = { '1d': HOUR_MS, '1w': DAY_MS, '1mo': DAY_MS } as const;

/**
 * Splits the items of a series into about `sliceCount` slices in total. Days are split into whole hours. Weeks and months
 * are split into whole days. A series with shorter items is returned unchanged.
 */
export function sliceSeries(series: Series, sliceCount: number): Series {
  const { bucket, starts, to } = series;
  if (bucket === '15m' || bucket === '1h') return series;
  const unitMs = SLICE_UNITS_MS[bucket];
  const parts = Math.max(1, Math.floor(sliceCount / starts.length));
  const sliceStarts = starts.flatMap((start, item) => {
    const lengthMs = (starts[item + 1] ?? to) - start;
    const stepMs = Math.ceil(lengthMs / parts / unitMs) * unitMs;
    return Array.from({ length: Math.ceil(lengthMs / stepMs) }, (_, part) => start + part * stepMs);
  });
  return { ...series, starts: sliceStarts };
}

interface SeriesSlice extends ItemRange {
  /** Index of the slice in the sliced series. */
  slice: number;
}

/** Divides a range into slices. `item` is the index of the item in the original series that contains the slice. */
export function getSlices(sliced: Series, { from, to, starts }: Series): SeriesSlice[] {
  let item = 0;
  return splitAtItems([{ from, to }], sliced.starts).map((part) => {
    while ((starts[item + 1] ?? Infinity) <= part.from) item += 1;
    return { from: part.from, to: part.to, item, slice: part.item };
  });
}

/**
 * Returns the slices that have visits, with their counts.
 *
 * @param share Share of the visits to read, or null to read all of them.
 */
export function countSlices(
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
