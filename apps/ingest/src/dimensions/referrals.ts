import { dimensionValue, type EnrichedVisit } from '#libs/contracts';
import { isPageRequest } from '#libs/referrals';
import type { Dimension } from '#libs/visit-store';
import { NO_DIMENSIONS, type KnownOfVisit } from './dimension.js';

/** Returns the dimensions of a person sent by an assistant: assistant and operator, and assistant and page. */
export function referralDimensions({ referral }: EnrichedVisit, { page }: KnownOfVisit): readonly Dimension[] {
  if (referral === undefined) return NO_DIMENSIONS;
  const { assistant, operator } = referral;
  return [
    ['referral', dimensionValue(assistant, operator)],
    ['referral_page', dimensionValue(assistant, page)],
  ];
}

/** Returns the dimension of a page fetched by an agent: the ID of the agent. Errors and impostors don't count. */
export function crawlDimensions(
  { identification: { agent_id: agentId, result }, visit }: EnrichedVisit,
  { kinds }: KnownOfVisit,
): readonly Dimension[] {
  const isFetched = agentId !== null && result !== 'verification_failed' && (visit.response_status_code ?? 0) < 400;
  return isFetched && isPageRequest(visit, kinds) ? [['crawl', agentId]] : NO_DIMENSIONS;
}
