import { splitAtItems, type ItemRange } from './rollups.js';
import type { Series } from './time-range.js';

const HOUR_MS = 3_600_000;
const HOURS_OF_DAY = 24;

/** Returns the series cut finer: days into parts of whole hours, so that there are about as many slices as wanted. */
export function slicedSeries(series: Series, wanted: number): Series {
  if (series.bucket !== '1d') return series;
  const { starts, to } = series;
  const parts = Math.max(1, Math.floor(wanted / starts.length));
  const step = Math.ceil(HOURS_OF_DAY / parts) * HOUR_MS;
  const cuts = starts.flatMap((start, item) => {
    const end = starts[item + 1] ?? to;
    return Array.from({ length: Math.ceil((end - start) / step) }, (_, part) => start + part * step);
  });
  return { ...series, starts: cuts };
}

/** A part of a range in a series that is cut finer. */
export interface SeriesSlice extends ItemRange {
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
