import type { Project } from './console.schema.js';
import type { Load } from './load.schema.js';

/** Bytes in a GB. Prices of CDNs and hosting providers are per 10^9 bytes. */
export const GB_BYTES = 1e9;
export const HOUR_MS = 3_600_000;

export type Prices = Pick<Project, 'price_per_gb' | 'price_per_server_hour' | 'currency'>;
export type MeasuredLoad = Pick<Load, 'bytes' | 'server_time_ms'>;

/** True if at least one price is set. A price of 0 counts. */
export const hasPrices = ({ price_per_gb: gb, price_per_server_hour: hour }: Prices): boolean =>
  gb !== null || hour !== null;

/**
 * Returns what a load costs, in the currency of the prices: `GB sent × price per GB + hours of server time × price per
 * hour`. Leaves out what has no price or wasn't reported.
 *
 * @returns Null if nothing is left.
 */
export function getLoadCost(
  { bytes, server_time_ms: serverTimeMs }: MeasuredLoad,
  { price_per_gb: gb, price_per_server_hour: hour }: Prices,
): number | null {
  const sent = bytes === null || gb === null ? null : (bytes / GB_BYTES) * gb;
  const time = serverTimeMs === null || hour === null ? null : (serverTimeMs / HOUR_MS) * hour;
  return sent === null && time === null ? null : (sent ?? 0) + (time ?? 0);
}
