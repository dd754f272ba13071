import { getLoadCost, HOUR_MS, type MeasuredLoad, type Prices } from '#libs/contracts/load-cost';
import type { Load } from '../api/load.js';
import { formatBytes } from '../format/bytes.js';
import { formatPercent } from '../format/change.js';
import { formatCount } from '../format/count.js';
import { formatDuration } from '../format/duration.js';
import { formatPrice, formatRoundedAmount } from '../format/money.js';

const DAY_MS = 24 * HOUR_MS;
const MONTH_DAYS = 30;
/** Shorter ranges say too little about a month. */
const MIN_EXTRAPOLATED_DAYS = 7;
/** Shares of at least this much are shown without a note. */
const ALMOST_ALL = 0.995;

/**
 * Formats how a cost is computed, such as "41.0 GB × $0.09 per GB + 15 h × $2.50 per hour".
 *
 * @returns Null if no input has both a value and a price.
 */
export function formatFormula(load: MeasuredLoad, prices: Prices): string | null {
  const { currency, price_per_gb: gb, price_per_server_hour: hour } = prices;
  if (getLoadCost(load, prices) === null) return null;
  const { bytes, server_time_ms: serverTimeMs } = load;
  const terms = [
    bytes !== null && gb !== null && `${formatBytes(bytes)} × ${formatPrice(gb, currency)} per GB`,
    serverTimeMs !== null &&
      hour !== null &&
      `${formatDuration(serverTimeMs)} × ${formatPrice(hour, currency)} per hour`,
  ];
  return terms.filter(Boolean).join(' + ');
}

const LIST = new Intl.ListFormat('en-US');

export const formatList = (items: readonly string[]): string => LIST.format(items);

/** Lists what a load consists of, such as "75 requests, 41 GB, and 15 h of server time". */
export function formatAmounts({ requests, bytes, server_time_ms: serverTimeMs }: MeasuredLoad & { requests: number }) {
  const amounts = [
    `${formatCount(requests)} ${requests === 1 ? 'request' : 'requests'}`,
    bytes !== null && formatBytes(bytes),
    serverTimeMs !== null && `${formatDuration(serverTimeMs)} of server time`,
  ];
  return formatList(amounts.filter((amount) => amount !== false));
}

/** Notes that only some requests reported a value, as in "for 62% of requests". Null if almost all did. */
export const formatCoverage = (reported: number, requests: number): string | null =>
  reported === 0 || reported >= ALMOST_ALL * requests ? null : `for ${formatPercent(reported / requests)} of requests`;

/** Lists what the sources don't report at all. */
export function listUnreported(load: Load): string[] {
  const parts: [string, number][] = [
    ['response sizes', load.bytes_requests],
    ['response times', load.timed_requests],
    ['statuses', load.status_requests],
    ['cache results', load.cache_requests],
  ];
  return parts.filter(([, requests]) => requests === 0).map(([name]) => name);
}

interface CountedSpan {
  from: string;
  to: string;
  /** Time of the project's first visit, or null if unknown. */
  firstVisitAt: string | null;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Returns the factor that converts an amount to a month of 30 days, based on the part of the range in which the project
 * had visits.
 *
 * @returns Null if that part is about 30 days long, or too short to extrapolate from.
 */
export function getMonthlyFactor({ from, to, firstVisitAt, now }: CountedSpan): number | null {
  const start = Math.max(Date.parse(from), firstVisitAt === null ? -Infinity : Date.parse(firstVisitAt));
  const days = (Math.min(Date.parse(to), now) - start) / DAY_MS;
  return days < MIN_EXTRAPOLATED_DAYS || Math.abs(days - MONTH_DAYS) < 1 ? null : MONTH_DAYS / days;
}

/** Formats a cost per month, such as "about $47 a month". */
export const formatMonthlyCost = (cost: number, factor: number, currency: string): string =>
  `about ${formatRoundedAmount(cost * factor, currency)} a month`;
