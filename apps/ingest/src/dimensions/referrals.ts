import { dimensionValue, type EnrichedVisit } from '#libs/contracts';
import { isPageRequest } from '#libs/referrals';
import type { Dimension } from './dimension.js';

/** People whom assistants sent: by assistant and operator, and by assistant and page. */
export function referralDimensions({ referral, visit }: EnrichedVisit): Dimension[] {
  if (referral === undefined) return [];
  const { assistant, operator } = referral;
  const [page] = visit.request_path.split('?', 1) as [string];
  return [
    ['referral', dimensionValue(assistant, operator)],
    ['referral_page', dimensionValue(assistant, page)],
  ];
}

/** Pages that agents fetched, by the agent's id: without errors, and without those who were somebody else. */
export function crawlDimensions({ identification: { agent_id: agentId, result }, visit }: EnrichedVisit): Dimension[] {
  const isFetched = agentId !== null && result !== 'verification_failed' && (visit.response_status_code ?? 0) < 400;
  return isFetched && isPageRequest(visit) ? [['crawl', agentId]] : [];
}
