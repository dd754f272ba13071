import type { EnrichedVisit } from '#libs/contracts';
import { isPageRequest, type ReferralMatcher } from '#libs/referrals';

/** The browser comes again, to where these lead, with the same Referer: the visit there is the one that counts. */
const REDIRECTS: ReadonlySet<unknown> = new Set([301, 302, 303, 307, 308]);

/** Says which assistant sent a person to a page. Visits of agents, of files, and redirects are left as they are. */
export function withReferral(
  enriched: EnrichedVisit,
  matcher: ReferralMatcher,
  hostNames: readonly string[],
): EnrichedVisit {
  const { visit, identification } = enriched;
  if (identification.agent_id !== null || REDIRECTS.has(visit.response_status_code)) return enriched;
  const referral = matcher.find({ path: visit.request_path, headers: visit.request_headers }, hostNames);
  return referral === null || !isPageRequest(visit) ? enriched : { ...enriched, referral };
}
