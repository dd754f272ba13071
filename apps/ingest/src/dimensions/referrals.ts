import { dimensionValue, type EnrichedVisit } from '#libs/contracts';
import { isPageRequest } from '#libs/referrals';
import { pageOf } from '../page.js';
import { postgresText } from '../steps/postgres-text.js';
import type { Dimension } from './dimension.js';

/** People whom assistants sent: by assistant and operator, and by assistant and page. */
export function referralDimensions({ referral, visit }: EnrichedVisit): Dimension[] {
  if (referral === undefined) return [];
  const { assistant, operator } = referral;
  return [
    ['referral', dimensionValue(assistant, operator)],
    ['referral_page', dimensionValue(assistant, pageOf(postgresText(visit.request_path)))],
  ];
}

/** Pages that agents fetched, by the agent's id: without errors, and without those who were somebody else. */
export function crawlDimensions({ identification: { agent_id: agentId, result }, visit }: EnrichedVisit): Dimension[] {
  const isFetched = agentId !== null && result !== 'verification_failed' && (visit.response_status_code ?? 0) < 400;
  return isFetched && isPageRequest(visit) ? [['crawl', agentId]] : [];
}
