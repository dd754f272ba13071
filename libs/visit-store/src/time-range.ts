import type { Bucket } from '#libs/contracts';

/** A time range aligned to 15-minute buckets, in milliseconds since the epoch. */
export interface TimeRange {
  from: number;
  /** End of the range, exclusive. */
  to: number;
}

/** A time range divided into the items of a chart. */
export interface Series extends TimeRange {
  bucket: Bucket;
  timeZone: string;
  /** Start time of each item. The first item can start before the range. */
  starts: number[];
}
