import {
  COMPLIANCE_DIMENSIONS,
  formatDimension,
  getHeader,
  toStatusGroup,
  type EnrichedVisit,
  type PaidCrawlOutcome,
  type Visit,
} from '#libs/contracts';
import { wellFormedText, type Dimension } from '#libs/visit-store';
import { NO_DIMENSIONS, type VisitContext } from './dimension.js';

/** Maximum length of a stored price or error, in characters. */
const MAX_DETAIL_LENGTH = 60;

/** Returns a visit's dimensions for the compliance report, as defined by {@link COMPLIANCE_DIMENSIONS}. */
export function complianceDimensions(
  { identification, visit, robots }: EnrichedVisit,
  { path, isPayment }: VisitContext,
): readonly Dimension[] {
  const { agent_id: agent, result } = identification;
  if (agent === null) return NO_DIMENSIONS;
  const group = toStatusGroup(visit.response_status_code);
  // The array is created with its first element, because V8 reserves space for 17 elements when an element is pushed to
  // an empty array.
  const dimensions: Dimension[] =
    robots === undefined ? [] : [[COMPLIANCE_DIMENSIONS.judged, formatDimension(agent, robots.verdict, result, group)]];
  // Verification failed, so someone else sent this request in the agent's name. Don't count it for the agent.
  if (result === 'verification_failed') return dimensions;
  if (robots?.verdict === 'disallowed') {
    dimensions.push([COMPLIANCE_DIMENSIONS.pages, formatDimension(agent, path)]);
    if (robots.version !== null && robots.line !== null) {
      dimensions.push([COMPLIANCE_DIMENSIONS.lines, formatDimension(agent, robots.version, String(robots.line))]);
    }
  }
  if (path === '/robots.txt') dimensions.push([COMPLIANCE_DIMENSIONS.robotsFetches, agent]);
  const paid = isPayment ? getPaidCrawlOutcome(visit) : null;
  if (paid !== null) dimensions.push([COMPLIANCE_DIMENSIONS.paidCrawl, formatDimension(agent, ...paid)]);
  return dimensions;
}

/**
 * Returns the outcome of a paid crawl and its price or error, or null if no payment was involved. Based on Cloudflare's
 * pay-per-crawl headers (developers.cloudflare.com/ai-crawl-control) and status 402.
 */
function getPaidCrawlOutcome({
  response_status_code: status,
  response_headers: responseHeaders,
  request_headers: requestHeaders,
}: Visit): [PaidCrawlOutcome, string] | null {
  const charged = readHeader(responseHeaders, 'crawler-charged');
  if (charged !== null) return ['charged', charged];
  const error = readHeader(responseHeaders, 'crawler-error');
  if (error !== null) return ['refused', error];
  if (status === 402) return ['payment_required', readHeader(responseHeaders, 'crawler-price') ?? ''];
  // Don't store the price that the agent offered, because agents could offer any number of different prices.
  const isOffer = ['crawler-exact-price', 'crawler-max-price'].some(
    (name) => readHeader(requestHeaders, name) !== null,
  );
  return isOffer ? ['offered', ''] : null;
}

function readHeader(headers: Visit['response_headers'], name: string): string | null {
  const value = getHeader(headers, name);
  return value === null ? null : wellFormedText(value).slice(0, MAX_DETAIL_LENGTH).toWellFormed();
}
