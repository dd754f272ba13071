import { dimensionValue, type EnrichedVisit } from '#libs/contracts';
import { isPageRequest } from '#libs/referrals';

/** What a visit is counted by beside its agent, page and status: the name of a dimension, and the value in it. */
export type Dimension = readonly [name: string, value: string];

/** People whom assistants sent: by assistant and operator, and by assistant and page. */
const referrals = ({ referral, visit }: EnrichedVisit): Dimension[] => {
  if (referral === undefined) return [];
  const { assistant, operator } = referral;
  const [page] = visit.request_path.split('?', 1) as [string];
  return [
    ['referral', dimensionValue(assistant, operator)],
    ['referral_page', dimensionValue(assistant, page)],
  ];
};

/** Pages that agents fetched, by the agent's id: without errors, and without those who were somebody else. */
const crawls = ({ identification: { agent_id: agentId, result }, visit }: EnrichedVisit): Dimension[] => {
  const isFetched = agentId !== null && result !== 'verification_failed' && (visit.response_status_code ?? 0) < 400;
  return isFetched && isPageRequest(visit) ? [['crawl', agentId]] : [];
};

/** One for each report. Their visits are counted where these are stored, and summed up by day. */
const REPORTS: readonly ((visit: EnrichedVisit) => readonly Dimension[])[] = [referrals, crawls];

/** Returns what a visit is counted by. */
export const dimensionsOf = (visit: EnrichedVisit): Dimension[] => REPORTS.flatMap((report) => report(visit));
