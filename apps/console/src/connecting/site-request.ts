import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { codeOf, fetchUnder, GuardedFetchError, isTlsFault, type EgressPolicy } from '#libs/evidence';
import { TEST_VISIT_PARAMETER, type SiteAnswer, type TestVisitOutcome } from '#libs/contracts';
import pLimit from 'p-limit';
import { limited } from '../limited.js';

/** Total time for a request and its redirects. */
export const REQUEST_TIMEOUT_MS = 10_000;
/** Maximum wait for the site's report after its response. */
export const REPORT_TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 5;
/** Maximum size of the response. It is read because a site reports a visit only after sending its response. */
const MAX_BYTES = 20_000_000;

/** Limits on the targets of test visits, robots.txt fetches and alert webhooks. */
export interface SitePolicy {
  /** Allows private addresses, for sites on the operator's own network. */
  allowPrivateAddresses: boolean;
  /** Returns all addresses of a host name. Default: the system's resolver. */
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
  answer: SiteAnswer | null;
  fault: SiteFault | null;
  /** Error message, or target of the redirect. */
  detail: string | null;
}

interface SiteRequestOptions {
  policy: SitePolicy;
  /** Returns the headers of a signed request. */
  sign: (url: URL, nonce: string) => Promise<Record<string, string>>;
  signal?: AbortSignal;
}

const hopMarker = (marker: string, hop: number): string => `${marker}-${hop}`;

/**
 * Requests a page of a site, and follows redirects that stay on its host. Each request is signed separately. The host
 * name is resolved once, and every connection uses the resulting addresses.
 *
 * @param marker letters, digits, `-` and `_`. Identifies the test visit in the query of each URL and the nonce of each
 *   signature.
 */
export async function requestSite(site: URL, marker: string, options: SiteRequestOptions): Promise<SiteRequest> {
  const addresses = new Set<string>(isIP(hostOf(site)) === 0 ? [] : [hostOf(site)]);
  const fetch = fetchUnder({
    allowPrivateAddresses: options.policy.allowPrivateAddresses,
    allowedPorts: 'any',
    allowHttp: true,
    allowAddresses: true,
    lookup: onceLookedUp(options.policy.lookup, addresses),
  });
  const started = performance.now();
  let url = marked(site, hopMarker(marker, 0));
  for (let hop = 0; ; hop += 1) {
    const here = { url: url.href, marker: hopMarker(marker, hop), addresses: [...addresses], answer: null };
    const nonce = `${here.marker}-${crypto.randomUUID()}`;
    try {
      const { status, headers } = await fetch(url.href, {
        maxBytes: MAX_BYTES,
        timeoutMs: Math.max(1, Math.ceil(REQUEST_TIMEOUT_MS - (performance.now() - started))),
        headers: await options.sign(url, nonce),
        isRedirectAllowed: true,
        isBodyDiscarded: true,
        ...(options.signal && { signal: options.signal }),
      });
      const answer = { status, milliseconds: Math.round(performance.now() - started) };
      const all = { ...here, addresses: [...addresses], answer };
      const next = status >= 300 && status < 400 ? redirectTarget(headers['location'], url) : null;
      if (next === null) return { ...all, fault: null, detail: null };
      if (!/^https?:$/.test(next.protocol) || next.hostname !== url.hostname) {
        return { ...all, fault: 'redirected_away', detail: unmarked(next).href };
      }
      if (hop === MAX_REDIRECTS) return { ...all, fault: 'too_many_redirects', detail: unmarked(next).href };
      // If the site redirects just to remove the marker, adding it again would loop.
      const takesNoMarker = url.searchParams.has(TEST_VISIT_PARAMETER) && next.href === unmarked(url).href;
      url =
        takesNoMarker || !url.searchParams.has(TEST_VISIT_PARAMETER) ? next : marked(next, hopMarker(marker, hop + 1));
    } catch (error) {
      if (!(error instanceof GuardedFetchError)) throw error;
      return { ...here, addresses: [...addresses], ...faultOf(error) };
    }
  }
}

function marked(url: URL, marker: string): URL {
  const copy = new URL(url);
  // Never sent, as in `fetch` of Node.js.
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

function unmarked(url: URL): URL {
  const copy = new URL(url);
  const parts = copy.search.slice(1).split('&');
  copy.search = parts.filter((part) => !part.startsWith(`${TEST_VISIT_PARAMETER}=`)).join('&');
  return copy;
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** Each lookup blocks one of libuv's four threads until the name server responds. */
const lookups = pLimit(2);

const tooManyLookups = (): Error =>
  Object.assign(new Error('too many names are being looked up at the same time'), { code: 'EAI_AGAIN' });

/**
 * Returns all addresses of a host name.
 *
 * @throws an error with a `getaddrinfo` code.
 */
export const lookUp: NonNullable<EgressPolicy['lookup']> = (name) =>
  limited(lookups, { timeoutMs: REQUEST_TIMEOUT_MS, timeoutError: tooManyLookups }, () =>
    systemLookup(name, { all: true }),
  );

/** Resolves a host name only once, so a name server can't give a different answer for a redirect. */
function onceLookedUp(
  lookup: NonNullable<EgressPolicy['lookup']> = lookUp,
  found: Set<string>,
): NonNullable<EgressPolicy['lookup']> {
  let answer: Promise<LookupAddress[]> | null = null;
  return (name) => {
    answer ??= lookup(name).then((addresses) => {
      if (addresses.length === 0) throw Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
      for (const { address } of addresses) found.add(address);
      return addresses;
    });
    return answer;
  };
}

const RESOLUTION = /^(?:ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT)$/;
function faultOf(error: GuardedFetchError): { fault: SiteFault; detail: string } {
  const { fault, message: detail } = error;
  if (fault === 'address_refused' || fault === 'timed_out') return { fault, detail };
  const code = codeOf(error.cause);
  if (RESOLUTION.test(code)) return { fault: 'name_not_resolved', detail };
  if (code === 'ECONNREFUSED') return { fault: 'connection_refused', detail };
  if (isTlsFault(error)) return { fault: 'tls_failed', detail };
  return { fault: 'unreachable', detail };
}

const redirectTarget = (location: string | undefined, from: URL): URL | null =>
  location === undefined ? null : URL.parse(location, from.href);
