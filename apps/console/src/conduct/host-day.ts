import { getHeader, ROBOTS_VERDICTS, type ConductDay } from '#libs/contracts';
import type { ConductVisit } from '#libs/visit-store';

/** Length of the periods in which requests are counted for the peak. */
const PEAK_PERIOD_MS = 10_000;
const SECOND_MS = 1_000;
/** Shortest delay that is compared with whole seconds. */
const MIN_WHOLE_SECONDS_DELAY_MS = 2_000;
/** Share of the delay from which an interval isn't shorter, because the network delays some requests. */
const DELAY_TOLERANCE = 0.9;

type Judged = ConductDay['robots'];

/** @param isOlderThanADay Whether the visit's robots.txt version was served for at least 24 hours before the visit. */
export function countVerdicts(
  visits: readonly ConductVisit[],
  isOlderThanADay: (visit: ConductVisit) => boolean,
): Judged {
  const counts: Judged = { judged: 0, disallowed: 0, disallowed_for_a_day: 0 };
  for (const visit of visits) {
    const verdict = ROBOTS_VERDICTS[(visit.robots ?? 0) - 1];
    if (verdict === 'disallowed') {
      counts.disallowed += 1;
      if (isOlderThanADay(visit)) counts.disallowed_for_a_day += 1;
    }
    if (verdict === 'disallowed' || verdict === 'allowed' || verdict === 'no_rules') counts.judged += 1;
  }
  return counts;
}

/**
 * Compares the intervals between requests to a host with the requested delay.
 *
 * @param visits Visits with times, in order.
 */
export function compareGaps(
  visits: readonly ConductVisit[],
  host: string | null,
  requestedMs: number,
): NonNullable<ConductDay['crawl_delay']> | null {
  const crawled = visits.filter((visit) => !visit.is_robots_txt);
  const hasWholeSeconds = crawled.every(({ occurred_at: at }) => at % SECOND_MS === 0);
  const gaps = crawled
    .slice(1)
    .map((visit, index): [ConductVisit, ConductVisit] => [crawled[index]!, visit])
    .filter(([previous, visit]) => !isSameFetch(previous, visit))
    .map(([previous, visit]) => visit.occurred_at - previous.occurred_at)
    .toSorted((one, other) => one - other);
  if (gaps.length === 0) return null;
  const limit = requestedMs * DELAY_TOLERANCE - (hasWholeSeconds ? SECOND_MS : 0);
  const isTooCoarse = hasWholeSeconds && requestedMs < MIN_WHOLE_SECONDS_DELAY_MS;
  return {
    host,
    requested_ms: requestedMs,
    gaps: gaps.length,
    median_gap_ms: (gaps[Math.floor((gaps.length - 1) / 2)]! + gaps[Math.floor(gaps.length / 2)]!) / 2,
    shorter_gaps: isTooCoarse ? null : gaps.filter((gap) => gap < limit).length,
    resolution_ms: hasWholeSeconds ? SECOND_MS : 1,
  };
}

/** Returns whether crawlers send a request immediately after another: for a redirect's target, or GET after HEAD. */
const isSameFetch = (previous: ConductVisit, visit: ConductVisit): boolean =>
  isRedirect(previous) || (visit.path_hash === previous.path_hash && isHead(visit) !== isHead(previous));

const isRedirect = ({ status }: ConductVisit): boolean =>
  status !== null && status >= 300 && status < 400 && status !== 304;

const isHead = ({ method }: ConductVisit): boolean => method?.toUpperCase() === 'HEAD';

/** @param visits Visits with times, in order. */
export function findPeak(visits: readonly ConductVisit[], host: string | null): ConductDay['peak'] {
  const counts = new Map<number, number>();
  for (const { occurred_at: at } of visits) {
    const period = Math.floor(at / PEAK_PERIOD_MS);
    counts.set(period, (counts.get(period) ?? 0) + 1);
  }
  let peak: [period: number, requests: number] | null = null;
  for (const count of counts) if (peak === null || count[1] > peak[1]) peak = count;
  if (peak === null) return null;
  const [period, requests] = peak;
  return {
    requests,
    host,
    from: new Date(period * PEAK_PERIOD_MS).toISOString(),
    to: new Date((period + 1) * PEAK_PERIOD_MS).toISOString(),
  };
}

const hasHeader = (headers: ConductVisit['request_headers'], name: string): boolean =>
  getHeader(headers, name) !== null;

const isConditional = ({ status, request_headers: headers }: ConductVisit): boolean =>
  status === 304 || hasHeader(headers, 'if-none-match') || hasHeader(headers, 'if-modified-since');

/** Returns whether a later request for the path can be conditional (RFC 9110, section 13.1). */
const isCacheable = ({ status, response_headers: headers }: ConductVisit): boolean =>
  status === 200 &&
  (hasHeader(headers, 'etag') || hasHeader(headers, 'last-modified')) &&
  !(getHeader(headers, 'cache-control') ?? '').toLowerCase().includes('no-store');

/**
 * Counts repeated requests for the same paths of a host.
 *
 * @param reportsConditions Whether the source reports headers such as `If-None-Match`.
 */
export function countRefetches(visits: readonly ConductVisit[], reportsConditions: boolean): ConductDay['refetches'] {
  /** Whether each requested path had a response that could be stored. */
  const paths = new Map<string, boolean>();
  const counts = { requests: 0, not_modified: 0, conditional: 0, cacheable: 0, cacheable_conditional: 0 };
  for (const visit of visits) {
    if (visit.is_robots_txt || visit.method?.toUpperCase() !== 'GET') continue;
    const wasCacheable = paths.get(visit.path_hash);
    paths.set(visit.path_hash, (wasCacheable ?? false) || isCacheable(visit));
    if (wasCacheable === undefined) continue;
    counts.requests += 1;
    if (visit.status === 304) counts.not_modified += 1;
    if (isConditional(visit)) counts.conditional += 1;
    if (!wasCacheable) continue;
    counts.cacheable += 1;
    if (isConditional(visit)) counts.cacheable_conditional += 1;
  }
  return reportsConditions ? counts : { ...counts, conditional: null, cacheable: null, cacheable_conditional: null };
}

/** Sources that report this header report all of them. Almost all crawlers send it. */
export const reportsConditions = (visits: readonly ConductVisit[]): boolean =>
  visits.some(
    ({ request_headers: headers }) =>
      hasHeader(headers, 'accept-encoding') ||
      hasHeader(headers, 'if-none-match') ||
      hasHeader(headers, 'if-modified-since'),
  );
