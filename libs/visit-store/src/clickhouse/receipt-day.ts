import { formatDay, toDayNumber } from '../partitions.repository.js';

/** Latest day that a `Date` in ClickHouse can represent. */
const LAST_DAY = 65_535;

/**
 * Returns the first day on which a visit that occurs at or after a time can be received. Use it with the `day` column to
 * skip older partitions.
 *
 * @param time Milliseconds since the epoch.
 */
export const toReceiptDay = (time: number): string => formatDay(Math.min(Math.max(toDayNumber(time), 0), LAST_DAY));
