import type { EgressPolicy } from './egress-policy.js';
import { createGuardedFetch, GuardedFetchError, isTlsFault } from './guarded-fetch.js';
import { getRedirectUrl, isRedirect } from './robots-fetcher.js';

/** Total timeout, including redirects. */
const TIMEOUT_MS = 20_000;
const MAX_REDIRECTS = 5;
/** Request timeout and too many requests. */
const OVERLOAD_STATUSES: ReadonlySet<number> = new Set([408, 429]);

const HEADERS = { 'user-agent': 'AgentTraffic/1.0 (reads sitemaps)', accept: 'application/xml, text/plain, */*;q=0.1' };

const LICENSE_HEADERS = {
  'user-agent': 'AgentTraffic/1.0 (reads licenses)',
  accept: 'application/rsl+xml, application/xml, */*;q=0.1',
};

interface SitemapFetchOptions {
  maxBytes: number;
  /** Returns whether a redirect may be followed. */
  isAllowed: (url: URL) => boolean;
  signal: AbortSignal;
}

export interface SitemapFault {
  /** Predicate without a subject, such as "responds with status 404". */
  message: string;
  /** True if a later fetch may succeed without a change to the site: timeouts, network errors, overload and 5xx. */
  isTemporary: boolean;
  /** True if the sitemap doesn't exist. */
  isMissing: boolean;
}

/**
 * Fetches a sitemap and follows redirects. The egress policy applies to each redirect.
 *
 * @returns The content as sent, or the problem.
 */
export const fetchSitemap = (
  url: string,
  policy: EgressPolicy,
  options: SitemapFetchOptions,
): Promise<Buffer | SitemapFault> => fetchFile(url, policy, { ...options, headers: HEADERS });

/** Like {@link fetchSitemap}, but for an RSL license. */
export const fetchLicense = (
  url: string,
  policy: EgressPolicy,
  options: SitemapFetchOptions,
): Promise<Buffer | SitemapFault> => fetchFile(url, policy, { ...options, headers: LICENSE_HEADERS });

async function fetchFile(
  url: string,
  policy: EgressPolicy,
  { maxBytes, isAllowed, signal, headers }: SitemapFetchOptions & { headers: Record<string, string> },
): Promise<Buffer | SitemapFault> {
  const fetch = createGuardedFetch(policy);
  const deadline = performance.now() + TIMEOUT_MS;
  let currentUrl = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const timeoutMs = Math.max(1, Math.ceil(deadline - performance.now()));
    const request = { headers, isRedirectAllowed: true, maxBytes, signal, timeoutMs };
    const response = await fetch(currentUrl, request).catch((error: unknown) => {
      if (error instanceof GuardedFetchError) return error;
      throw error;
    });
    if (response instanceof GuardedFetchError) return toFault(response);
    const { status } = response;
    if (status === 200) return response.body;
    if (!isRedirect(response)) {
      return {
        message: `responds with status ${status}`,
        isTemporary: status >= 500 || OVERLOAD_STATUSES.has(status),
        isMissing: status === 404 || status === 410,
      };
    }
    const next = getRedirectUrl(response, currentUrl);
    if (next === null) return createLastingFault('redirects to an invalid URL');
    if (!isAllowed(new URL(next))) return createLastingFault("redirects to a URL that is not on the project's hosts");
    currentUrl = next;
  }
  return createLastingFault(`redirects more than ${MAX_REDIRECTS} times`);
}

const createLastingFault = (message: string): SitemapFault => ({ message, isTemporary: false, isMissing: false });

const toFault = (error: GuardedFetchError): SitemapFault => ({
  message: `cannot be fetched: ${error.message}`,
  // Certificates usually stay invalid for a host that isn't meant to be used.
  isTemporary: error.fault === 'timed_out' || (error.fault === 'unreachable' && !isTlsFault(error)),
  isMissing: false,
});
