import type { Referral, Visit } from '#libs/contracts';
import { isPageRequest, type ReferralMatcher } from '#libs/referrals';

/**
 * Redirects don't count as referrals. The browser sends the same Referer to the new URL, so that visit counts instead.
 */
const REDIRECT_STATUSES: ReadonlySet<unknown> = new Set([301, 302, 303, 307, 308]);

/** Returns the AI assistant that referred a person to a page. Returns null for other visits, files and redirects. */
export function findReferral(visit: Visit, matcher: ReferralMatcher, hostNames: readonly string[]): Referral | null {
  if (REDIRECT_STATUSES.has(visit.response_status_code)) return null;
  const referral = matcher.find({ path: visit.request_path, headers: visit.request_headers }, hostNames);
  return referral !== null && isPageRequest(visit) ? referral : null;
}
