export { isPageRequest } from './page-request.js';
export { ReferralMatcher } from './referral-matcher.js';
