import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { getErrorCode, createGuardedFetch, GuardedFetchError, isTlsFault, type EgressPolicy } from '#libs/evidence';
import { TEST_VISIT_PARAMETER, type SiteResponse, type TestVisitOutcome } from '#libs/contracts';
import pLimit from 'p-limit';
import { runLimited } from '../run-limited.js';

/** Timeout for a request, including its redirects. */
export const REQUEST_TIMEOUT_MS = 10_000;
/** Maximum time to wait for the site's report after its response. */
export const REPORT_TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 5;
/** Maximum response size. The response must be read, because a site reports a visit only after sending it. */
const MAX_BYTES = 20_000_000;

/** Limits on the targets of test visits, robots.txt fetches and alert webhooks. */
export interface SitePolicy {
  /** Allows private addresses, for sites on the operator's own network. */
  allowPrivateAddresses: boolean;
  /** Resolves a host name to all of its addresses. Default: the system resolver. */
  lookup?: EgressPolicy['lookup'];
}

/** Reason why no request reached the site, or why a redirect wasn't followed. */
export type SiteFault = Extract<
  TestVisitOutcome,
  | 'name_not_resolved'
  | 'address_refused'
  | 'connection_refused'
  | 'tls_failed'
  | 'timed_out'
  | 'unreachable'
  | 'redirected_away'
  | 'too_many_redirects'
>;

export interface SiteRequest {
  /** Last requested URL. */
  url: string;
  marker: string;
  /** Addresses that the host name resolved to. */
  addresses: string[];
  answer: SiteResponse | null;
  /** Statuses and headers of all responses, including redirects. Header names are in lower case. */
  responses: { status: number; headers: Record<string, string>; milliseconds: number }[];
  fault: SiteFault | null;
  /** Error message, or the redirect's target. */
  detail: string | null;
}

interface SiteRequestOptions {
  policy: SitePolicy;
  /** Returns the headers for a signed request. */
  sign: (url: URL, nonce: string) => Promise<Record<string, string>>;
  signal?: AbortSignal;
}

const hopMarker = (marker: string, hop: number): string => `${marker}-${hop}`;

/** Returns the URL of the first request of {@link requestSite}. */
export const toFirstUrl = (site: URL, marker: string): URL => addMarker(site, hopMarker(marker, 0));

/**
 * Requests a site's page, and follows redirects that stay on its host. Each request is signed separately. The host name
 * is resolved once, and every connection uses the resulting addresses.
 *
 * @param marker Letters, digits, `-` and `_`. Identifies the test visit in each URL's query and each signature's nonce.
 */
export async function requestSite(site: URL, marker: string, options: SiteRequestOptions): Promise<SiteRequest> {
  const addresses = new Set<string>(isIP(getHostname(site)) === 0 ? [] : [getHostname(site)]);
  const fetch = createGuardedFetch({
    allowPrivateAddresses: options.policy.allowPrivateAddresses,
    allowedPorts: 'any',
    allowHttp: true,
    allowAddresses: true,
    lookup: createCachedLookup(options.policy.lookup, addresses),
  });
  const startedAt = performance.now();
  const responses: SiteRequest['responses'] = [];
  let url = toFirstUrl(site, marker);
  for (let hop = 0; ; hop += 1) {
    const hopResult = {
      url: url.href,
      marker: hopMarker(marker, hop),
      addresses: [...addresses],
      answer: null,
      responses,
    };
    const nonce = `${hopResult.marker}-${crypto.randomUUID()}`;
    try {
      const { status, headers } = await fetch(url.href, {
        maxBytes: MAX_BYTES,
        timeoutMs: Math.max(1, Math.ceil(REQUEST_TIMEOUT_MS - (performance.now() - startedAt))),
        headers: await options.sign(url, nonce),
        isRedirectAllowed: true,
        isBodyDiscarded: true,
        ...(options.signal && { signal: options.signal }),
      });
      const answer = { status, milliseconds: Math.round(performance.now() - startedAt) };
      responses.push({ ...answer, headers });
      const completedHop = { ...hopResult, addresses: [...addresses], answer };
      const next = status >= 300 && status < 400 ? redirectTarget(headers['location'], url) : null;
      if (next === null) return { ...completedHop, fault: null, detail: null };
      if (!/^https?:$/.test(next.protocol) || next.hostname !== url.hostname) {
        return { ...completedHop, fault: 'redirected_away', detail: removeMarker(next).href };
      }
      if (hop === MAX_REDIRECTS)
        return { ...completedHop, fault: 'too_many_redirects', detail: removeMarker(next).href };
      // If the site only redirects to remove the marker from the URL, don't add it again, because the site would
      // redirect forever.
      const removesMarker = url.searchParams.has(TEST_VISIT_PARAMETER) && next.href === removeMarker(url).href;
      url =
        removesMarker || !url.searchParams.has(TEST_VISIT_PARAMETER)
          ? next
          : addMarker(next, hopMarker(marker, hop + 1));
    } catch (error) {
      if (!(error instanceof GuardedFetchError)) throw error;
      return { ...hopResult, addresses: [...addresses], ...toSiteFault(error) };
    }
  }
}

function addMarker(url: URL, marker: string): URL {
  const copy = new URL(url);
  // Like Node.js's `fetch`, never send a URL's fragment or credentials.
  copy.hash = '';
  copy.username = '';
  copy.password = '';
  const others = copy.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !part.startsWith(`${TEST_VISIT_PARAMETER}=`));
  copy.search = [...others, `${TEST_VISIT_PARAMETER}=${marker}`].join('&');
  return copy;
}

function removeMarker(url: URL): URL {
  const copy = new URL(url);
  const parts = copy.search.slice(1).split('&');
  copy.search = parts.filter((part) => !part.startsWith(`${TEST_VISIT_PARAMETER}=`)).join('&');
  return copy;
}

const getHostname = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/**
 * Limits concurrent lookups, because each lookup blocks one of only four threads in libuv's pool until the name server
 * responds.
 */
const lookupLimit = pLimit(2);

const createLookupLimitError = (): Error =>
  Object.assign(new Error('too many concurrent DNS lookups'), { code: 'EAI_AGAIN' });

/**
 * Resolves a host name to all of its addresses.
 *
 * @throws {Error} with a `getaddrinfo` code if the lookup fails.
 */
export const lookUpAddresses: NonNullable<EgressPolicy['lookup']> = (name) =>
  runLimited(lookupLimit, { timeoutMs: REQUEST_TIMEOUT_MS, timeoutError: createLookupLimitError }, () =>
    systemLookup(name, { all: true }),
  );

/** Resolves a host name only once, so a name server can't return different addresses for a redirect. */
function createCachedLookup(
  lookup: NonNullable<EgressPolicy['lookup']> = lookUpAddresses,
  resolvedAddresses: Set<string>,
): NonNullable<EgressPolicy['lookup']> {
  let answer: Promise<LookupAddress[]> | null = null;
  return (name) => {
    answer ??= lookup(name).then((addresses) => {
      if (addresses.length === 0) throw Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
      for (const { address } of addresses) resolvedAddresses.add(address);
      return addresses;
    });
    return answer;
  };
}

const RESOLUTION_ERROR = /^(?:ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT)$/;
function toSiteFault(error: GuardedFetchError): { fault: SiteFault; detail: string } {
  const { fault, message: detail } = error;
  if (fault === 'address_refused' || fault === 'timed_out') return { fault, detail };
  const code = getErrorCode(error.cause);
  if (RESOLUTION_ERROR.test(code)) return { fault: 'name_not_resolved', detail };
  if (code === 'ECONNREFUSED') return { fault: 'connection_refused', detail };
  if (isTlsFault(error)) return { fault: 'tls_failed', detail };
  return { fault: 'unreachable', detail };
}

const redirectTarget = (location: string | undefined, from: URL): URL | null =>
  location === undefined ? null : URL.parse(location, from.href);
