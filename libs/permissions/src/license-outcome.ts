import type { CrawlPurpose } from '#libs/agents/vocabulary';
import { compilePattern, toComparablePath } from '#libs/robots';
import { PERMISSION_OUTCOMES, type PermissionOutcome as Outcome } from '#libs/contracts';
import type { LicensedContent, LicenseTerms } from './rsl-license.js';

/** Usages that include a purpose (RSL 1.0, section 3.4.1.1). `train-ai` is the name in drafts before version 1.0. */
const USAGES: Record<CrawlPurpose, readonly string[]> = {
  training: ['ai-train', 'train-ai', 'ai-all', 'all'],
  search: ['search', 'all'],
  user: ['ai-input', 'ai-all', 'all'],
};
/** Types of payment that agents don't have to pay. */
const FREE: ReadonlySet<string | null> = new Set([null, 'free', 'attribution']);

/**
 * Returns the outcome of a license for a path, or null if it doesn't mention the purpose. The longest matching path
 * applies. Agents can choose between several licenses, so the least restrictive one applies.
 */
export function findLicenseOutcome(
  contents: readonly LicensedContent[],
  { host, path, purpose }: { host: string; path: string; purpose: CrawlPurpose },
): Outcome | null {
  const comparable = toComparablePath(path);
  let longest = -1;
  let found: LicensedContent[] = [];
  for (const content of contents) {
    const pattern = toPattern(content.url, host);
    if (pattern === null || (pattern !== '' && !compilePattern(pattern).matches(comparable))) continue;
    if (pattern.length > longest) found = [];
    longest = Math.max(longest, pattern.length);
    if (pattern.length === longest) found.push(content);
  }
  const outcomes = new Set(
    found.flatMap(({ licenses, hasServer }) => licenses.flatMap((terms) => toOutcome(terms, hasServer, purpose) ?? [])),
  );
  return PERMISSION_OUTCOMES.find((outcome) => outcomes.has(outcome)) ?? null;
}

/** Returns the path of a URL on the host, or null if it is on another host. */
function toPattern(url: string, host: string): string | null {
  if (url === '' || url.startsWith('/') || url.startsWith('*')) return url;
  const parsed = URL.parse(url);
  return parsed?.host === host ? decodePattern(parsed) : null;
}

/** Restores the wildcards that `URL` leaves as they are, without the hash. */
const decodePattern = ({ pathname, search }: URL): string => pathname + search;

function toOutcome({ permits, prohibits, payment }: LicenseTerms, hasServer: boolean, purpose: CrawlPurpose) {
  const includes = (usages: readonly string[]): boolean => USAGES[purpose].some((usage) => usages.includes(usage));
  if (includes(prohibits)) return 'disallowed';
  // Without <permits>, the license covers all usages that it doesn't prohibit, but only a payment says that it grants
  // any.
  const isGranted = permits === null ? payment !== null : includes(permits);
  if (!isGranted) return null;
  return FREE.has(payment) && !hasServer ? 'allowed' : 'conditional';
}
