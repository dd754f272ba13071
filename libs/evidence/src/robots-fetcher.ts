import { MAX_ROBOTS_BYTES } from '#libs/robots';
import { createGuardedFetch, GuardedFetchError, type FetchResponse, type FetchFault } from './guarded-fetch.js';
import type { EgressPolicy } from './egress-policy.js';

/** A previously fetched robots.txt version, for conditional requests. */
export interface CachedRobots {
  /** Final URL, after redirects. */
  url: string;
  etag: string | null;
  lastModified: string | null;
}

/** Result of fetching a robots.txt, categorized according to RFC 9309, section 2.3.1. */
export type RobotsResult =
  /** `bytes` exceeds the maximum size by one byte if the file was truncated. */
  | ({ outcome: 'found'; status: 200; bytes: Buffer } & CachedRobots)
  /** The known version is still current. */
  | { outcome: 'unchanged'; url: string }
  /**
   * There is no robots.txt, so everything is allowed. The response had a 4xx status, an invalid redirect or too many
   * redirects.
   */
  | { outcome: 'missing'; url: string; status: number; reason: string }
  /** Nothing is allowed for now. `status` is a 5xx code, or null if there was no response. */
  | { outcome: 'unreachable'; url: string; status: number | null; reason: string }
  /**
   * Crawlers may get a different result: the egress policy rejects the address, or the response can't be interpreted.
   */
  | { outcome: 'unknown'; url: string; status: number | null; reason: string; fault: FetchFault | null };

/** Total timeout, including redirects. */
const TIMEOUT_MS = 10_000;
/** Crawlers should follow at least five redirects (RFC 9309, section 2.3.1.2). */
const MAX_REDIRECTS = 5;

const HEADERS = { 'user-agent': 'AgentTraffic/1.0 (looks at robots.txt)', accept: 'text/plain, */*;q=0.1' };

export interface RobotsFetchOptions {
  known?: CachedRobots | null;
  /**
   * If true, only redirects to the same path are followed. Set it if the response is shown to people who must not be
   * able to choose the page to fetch.
   */
  keepsPath?: boolean;
  /** Cancels the fetch, with the same result as a timeout. */
  signal?: AbortSignal;
}

/** Fetches a robots.txt as a crawler would, and follows redirects. The egress policy applies to each redirect. */
export async function fetchRobotsTxt(
  url: string,
  policy: EgressPolicy,
  { known: cached = null, keepsPath = false, signal }: RobotsFetchOptions = {},
): Promise<RobotsResult> {
  const fetch = createGuardedFetch(policy);
  const deadline = performance.now() + TIMEOUT_MS;
  let currentUrl = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const timeoutMs = Math.max(1, Math.ceil(deadline - performance.now()));
    const limits = { maxBytes: MAX_ROBOTS_BYTES, isCutAllowed: true, isRedirectAllowed: true, timeoutMs };
    const headers = { ...HEADERS, ...(cached?.url === currentUrl && toConditionalHeaders(cached)) };
    const response = await fetch(currentUrl, { ...limits, headers, ...(signal && { signal }) }).catch(
      (error: unknown) => {
        if (error instanceof GuardedFetchError) return error;
        throw error;
      },
    );
    if (response instanceof GuardedFetchError) return classifyError(currentUrl, response);
    if (!isRedirect(response)) return classifyResponse(currentUrl, response, cached);
    const next = getRedirectUrl(response, currentUrl);
    if (next === null)
      return { outcome: 'missing', url: currentUrl, status: response.status, reason: 'redirects to an invalid URL' };
    if (hop === MAX_REDIRECTS) {
      return { outcome: 'missing', url, status: response.status, reason: `redirects more than ${MAX_REDIRECTS} times` };
    }
    if (keepsPath && new URL(next).pathname !== new URL(url).pathname) {
      const reason = 'redirects to a different path, which is not followed on private networks';
      return { outcome: 'unknown', url: currentUrl, status: response.status, reason, fault: 'redirected' };
    }
    currentUrl = next;
  }
  throw new Error('unreachable: the last redirect always returns');
}

export const isRedirect = ({ status }: FetchResponse): boolean => [301, 302, 303, 307, 308].includes(status);

function toConditionalHeaders({ etag, lastModified }: CachedRobots): Record<string, string> {
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  };
}

/** Returns the target of a redirect, or null if it isn't a URL. */
export function getRedirectUrl({ headers }: FetchResponse, from: string): string | null {
  const location = URL.parse(headers['location'] ?? '', from);
  if (headers['location'] === undefined || location === null) return null;
  location.hash = '';
  return location.href;
}

function classifyResponse(
  url: string,
  { status, headers, body }: FetchResponse,
  cached: CachedRobots | null,
): RobotsResult {
  if (status === 200) {
    return {
      outcome: 'found',
      url,
      status,
      bytes: body,
      etag: headers['etag'] ?? null,
      lastModified: headers['last-modified'] ?? null,
    };
  }
  const reason = `responds with status ${status}`;
  const isConditional = cached?.url === url && Object.keys(toConditionalHeaders(cached)).length > 0;
  if (status === 304 && isConditional) return { outcome: 'unchanged', url };
  if (status >= 400 && status < 500) return { outcome: 'missing', url, status, reason };
  if (status >= 500) return { outcome: 'unreachable', url, status, reason };
  return { outcome: 'unknown', url, status, reason: `${reason}, which is not meaningful for robots.txt`, fault: null };
}

function classifyError(url: string, { fault, message: reason }: GuardedFetchError): RobotsResult {
  if (fault === 'address_refused') return { outcome: 'unknown', url, status: null, reason, fault };
  if (fault === 'encoded') return { outcome: 'unknown', url, status: 200, reason, fault };
  return { outcome: 'unreachable', url, status: null, reason };
}
