import type { Referral, Visit } from '#libs/contracts';
import { isPageRequest, type ReferralMatcher } from '#libs/referrals';

/** Not counted: the browser requests the new URL with the same Referer, and that visit counts. */
const REDIRECTS: ReadonlySet<unknown> = new Set([301, 302, 303, 307, 308]);

/** Returns the assistant that sent a person to a page. Null if there is none, and for files and redirects. */
export function referralOf(visit: Visit, matcher: ReferralMatcher, hostNames: readonly string[]): Referral | null {
  if (REDIRECTS.has(visit.response_status_code)) return null;
  const referral = matcher.find({ path: visit.request_path, headers: visit.request_headers }, hostNames);
  return referral !== null && isPageRequest(visit) ? referral : null;
}
