import { formatDimension, type EnrichedVisit } from '#libs/contracts';
import { isPageRequest } from '#libs/referrals';
import type { Dimension } from '#libs/visit-store';
import { NO_DIMENSIONS, type VisitContext } from './dimension.js';

/** Returns the dimensions of a visitor referred by an assistant: assistant with operator, and assistant with page. */
export function referralDimensions({ referral }: EnrichedVisit, { page }: VisitContext): readonly Dimension[] {
  if (referral === undefined) return NO_DIMENSIONS;
  const { assistant, operator } = referral;
  return [
    ['referral', formatDimension(assistant, operator)],
    ['referral_page', formatDimension(assistant, page)],
  ];
}

/** Returns the agent ID as a dimension if an agent fetched a page. Ignores errors and spoofed agents. */
export function crawlDimensions(
  { identification: { agent_id: agentId, result }, visit }: EnrichedVisit,
  { kinds, responseFormat }: VisitContext,
): readonly Dimension[] {
  const isFetched = agentId !== null && result !== 'verification_failed' && (visit.response_status_code ?? 0) < 400;
  return isFetched && isPageRequest(visit, kinds, responseFormat) ? [['crawl', agentId]] : NO_DIMENSIONS;
}
