import type { Bucket } from '#libs/contracts';

/** A range of whole quarters of an hour, as visits are counted, in milliseconds since the epoch. */
export interface TimeRange {
  from: number;
  /** Exclusive. */
  to: number;
}

/** A range cut into the items of a chart. */
export interface Series extends TimeRange {
  bucket: Bucket;
  timeZone: string;
  /** When each item begins; the first may begin before the range does. */
  starts: number[];
}
