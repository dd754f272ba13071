import { MAX_ROBOTS_BYTES } from '#libs/robots';
import { fetchUnder, GuardedFetchError, type Fetched, type FetchFault } from './guarded-fetch.js';
import type { EgressPolicy } from './egress-policy.js';

/** Known version of a robots.txt, for conditional requests. */
export interface KnownRobots {
  /** Final URL, after redirects. */
  url: string;
  etag: string | null;
  lastModified: string | null;
}

/** Result of fetching a robots.txt, by the categories of RFC 9309, section 2.3.1. */
export type RobotsAnswer =
  /** `bytes` can exceed the maximum by one byte. */
  | ({ outcome: 'found'; status: 200; bytes: Buffer } & KnownRobots)
  /** The known version is current. */
  | { outcome: 'unchanged'; url: string }
  /** No robots.txt, so everything is allowed: a 4xx status, or invalid or too many redirects. */
  | { outcome: 'missing'; url: string; status: number; reason: string }
  /** Nothing is allowed for now. `status` is a 5xx, or null without a response. */
  | { outcome: 'unreachable'; url: string; status: number | null; reason: string }
  /**
   * Crawlers may get a result, but we don't: the egress policy forbids the address, or the response can't be
   * interpreted.
   */
  | { outcome: 'unknown'; url: string; status: number | null; reason: string; fault: FetchFault | null };

/** Timeout in milliseconds, including redirects. */
const TIMEOUT_MS = 10_000;
/** Crawlers follow at least five (RFC 9309, section 2.3.1.2). */
const MAX_REDIRECTS = 5;

const HEADERS = { 'user-agent': 'AgentTraffic/1.0 (looks at robots.txt)', accept: 'text/plain, */*;q=0.1' };

export interface RobotsFetchOptions {
  known?: KnownRobots | null;
  /** Only follows redirects to the same path. For responses shown to people who must not choose what is read. */
  keepsPath?: boolean;
  /** Cancels the fetch, with the same result as a timeout. */
  signal?: AbortSignal;
}

/** Fetches a robots.txt like a crawler: follows redirects, each under the same policy. */
export async function fetchRobotsTxt(
  url: string,
  policy: EgressPolicy,
  { known = null, keepsPath = false, signal }: RobotsFetchOptions = {},
): Promise<RobotsAnswer> {
  const fetch = fetchUnder(policy);
  const end = performance.now() + TIMEOUT_MS;
  let at = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const timeoutMs = Math.max(1, Math.ceil(end - performance.now()));
    const limits = { maxBytes: MAX_ROBOTS_BYTES, isCutAllowed: true, isRedirectAllowed: true, timeoutMs };
    const headers = { ...HEADERS, ...(known?.url === at && conditions(known)) };
    const answer = await fetch(at, { ...limits, headers, ...(signal && { signal }) }).catch((error: unknown) => {
      if (error instanceof GuardedFetchError) return error;
      throw error;
    });
    if (answer instanceof GuardedFetchError) return withoutAnswer(at, answer);
    if (![301, 302, 303, 307, 308].includes(answer.status)) return judged(at, answer, known);
    const next = redirectOf(answer, at);
    if (next === null) return { outcome: 'missing', url: at, status: answer.status, reason: 'redirects to nowhere' };
    if (hop === MAX_REDIRECTS) {
      return { outcome: 'missing', url, status: answer.status, reason: `redirects more than ${MAX_REDIRECTS} times` };
    }
    if (keepsPath && new URL(next).pathname !== new URL(url).pathname) {
      const reason = 'redirects to another page, which is not followed on private networks';
      return { outcome: 'unknown', url: at, status: answer.status, reason, fault: 'redirected' };
    }
    at = next;
  }
  throw new Error('the last redirect has returned');
}

function conditions({ etag, lastModified }: KnownRobots): Record<string, string> {
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  };
}

function redirectOf({ headers }: Fetched, from: string): string | null {
  const location = URL.parse(headers['location'] ?? '', from);
  if (headers['location'] === undefined || location === null) return null;
  location.hash = '';
  return location.href;
}

function judged(url: string, { status, headers, body }: Fetched, known: KnownRobots | null): RobotsAnswer {
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
  const reason = `answers with status ${status}`;
  const isAsked = known?.url === url && Object.keys(conditions(known)).length > 0;
  if (status === 304 && isAsked) return { outcome: 'unchanged', url };
  if (status >= 400 && status < 500) return { outcome: 'missing', url, status, reason };
  if (status >= 500) return { outcome: 'unreachable', url, status, reason };
  return { outcome: 'unknown', url, status, reason: `${reason}, which says nothing about robots.txt`, fault: null };
}

function withoutAnswer(url: string, { fault, message: reason }: GuardedFetchError): RobotsAnswer {
  if (fault === 'address_refused') return { outcome: 'unknown', url, status: null, reason, fault };
  if (fault === 'encoded') return { outcome: 'unknown', url, status: 200, reason, fault };
  return { outcome: 'unreachable', url, status: null, reason };
}
