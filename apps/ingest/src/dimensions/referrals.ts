import { dimensionValue, type EnrichedVisit } from '#libs/contracts';
import { isPageRequest } from '#libs/referrals';
import type { Dimension } from '#libs/visit-store';
import { NO_DIMENSIONS, type KnownOfVisit } from './dimension.js';

/** People whom assistants sent: by assistant and operator, and by assistant and page. */
export function referralDimensions({ referral }: EnrichedVisit, { page }: KnownOfVisit): readonly Dimension[] {
  if (referral === undefined) return NO_DIMENSIONS;
  const { assistant, operator } = referral;
  return [
    ['referral', dimensionValue(assistant, operator)],
    ['referral_page', dimensionValue(assistant, page)],
  ];
}

/** Pages that agents fetched, by the agent's id: without errors, and without those who were somebody else. */
export function crawlDimensions(
  { identification: { agent_id: agentId, result }, visit }: EnrichedVisit,
  { kinds }: KnownOfVisit,
): readonly Dimension[] {
  const isFetched = agentId !== null && result !== 'verification_failed' && (visit.response_status_code ?? 0) < 400;
  return isFetched && isPageRequest(visit, kinds) ? [['crawl', agentId]] : NO_DIMENSIONS;
}
