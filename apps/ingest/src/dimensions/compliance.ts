import {
  COMPLIANCE_DIMENSIONS,
  dimensionValue,
  headerOf,
  type EnrichedVisit,
  type PaidCrawlOutcome,
  type StatusGroup,
  type Visit,
} from '#libs/contracts';
import { wellFormedText, type Dimension } from '#libs/visit-store';
import { NO_DIMENSIONS, type KnownOfVisit } from './dimension.js';

const FILES: ReadonlySet<string> = new Set(['/robots.txt', '/llms.txt', '/llms-full.txt']);
const WELL_KNOWN = '/.well-known/';
/** Maximum length of a price or an error, in characters. */
const MAX_DETAIL_LENGTH = 60;

/** Returns the dimensions of a visit for the compliance report; see {@link COMPLIANCE_DIMENSIONS}. */
export function complianceDimensions(
  { identification, visit, robots }: EnrichedVisit,
  { page }: KnownOfVisit,
): readonly Dimension[] {
  const { agent_id: agent, result } = identification;
  if (agent === null) return NO_DIMENSIONS;
  const group = statusGroup(visit.response_status_code);
  // Pushing to an empty array would allocate space for 17 elements.
  const dimensions: Dimension[] =
    robots === undefined ? [] : [[COMPLIANCE_DIMENSIONS.judged, dimensionValue(agent, robots.verdict, result, group)]];
  // Somebody else made the request in the agent's name.
  if (result === 'verification_failed') return dimensions;
  if (robots?.verdict === 'disallowed') {
    dimensions.push([COMPLIANCE_DIMENSIONS.pages, dimensionValue(agent, page)]);
    if (robots.version !== null && robots.line !== null) {
      dimensions.push([COMPLIANCE_DIMENSIONS.lines, dimensionValue(agent, robots.version, String(robots.line))]);
    }
  }
  if (FILES.has(page) || page.startsWith(WELL_KNOWN)) {
    dimensions.push([COMPLIANCE_DIMENSIONS.files, dimensionValue(agent, group, page)]);
    if (page === '/robots.txt') dimensions.push([COMPLIANCE_DIMENSIONS.robotsFetches, agent]);
  }
  const paid = paidCrawl(visit);
  if (paid !== null) dimensions.push([COMPLIANCE_DIMENSIONS.paidCrawl, dimensionValue(agent, ...paid)]);
  return dimensions;
}

function statusGroup(status: number | null | undefined): StatusGroup {
  if (status == null) return 'none';
  if (status === 403) return '403';
  return status < 400 ? 'served' : 'failed';
}

/**
 * Returns the outcome of a paid crawl with its price or error. Based on the headers of Cloudflare's pay per crawl
 * (developers.cloudflare.com/ai-crawl-control) and on status 402.
 */
function paidCrawl({
  response_status_code: status,
  response_headers: answer,
  request_headers: request,
}: Visit): [PaidCrawlOutcome, string] | null {
  const charged = header(answer, 'crawler-charged');
  if (charged !== null) return ['charged', charged];
  const error = header(answer, 'crawler-error');
  if (error !== null) return ['refused', error];
  if (status === 402) return ['payment_required', header(answer, 'crawler-price') ?? ''];
  // The offered price is left out: agents can offer any number of different prices.
  const isOffer = ['crawler-exact-price', 'crawler-max-price'].some((name) => header(request, name) !== null);
  return isOffer ? ['offered', ''] : null;
}

function header(headers: Visit['response_headers'], name: string): string | null {
  const value = headerOf(headers, name);
  return value === null ? null : wellFormedText(value).slice(0, MAX_DETAIL_LENGTH).toWellFormed();
}
