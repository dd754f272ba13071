import type { Bucket } from '#libs/contracts';

/** A range aligned to 15-minute buckets, in milliseconds since the epoch. */
export interface TimeRange {
  from: number;
  /** Exclusive. */
  to: number;
}

/** A range divided into the items of a chart. */
export interface Series extends TimeRange {
  bucket: Bucket;
  timeZone: string;
  /** Start of each item. The first can start before the range. */
  starts: number[];
}
