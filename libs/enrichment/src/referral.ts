import type { Referral, Visit } from '#libs/contracts';
import { isPageRequest, type ReferralMatcher } from '#libs/referrals';

/** The browser comes again, to where these lead, with the same Referer: the visit there is the one that counts. */
const REDIRECTS: ReadonlySet<unknown> = new Set([301, 302, 303, 307, 308]);

/** Returns the assistant that sent a person to a page; null where none is known, and for files and redirects. */
export function referralOf(visit: Visit, matcher: ReferralMatcher, hostNames: readonly string[]): Referral | null {
  if (REDIRECTS.has(visit.response_status_code)) return null;
  const referral = matcher.find({ path: visit.request_path, headers: visit.request_headers }, hostNames);
  return referral !== null && isPageRequest(visit) ? referral : null;
}
