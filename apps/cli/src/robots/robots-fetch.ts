import { fetchUnder, GuardedFetchError, type EgressPolicy, type Fetched } from '#libs/evidence';
import type { CliError } from '../cli-error.js';
import { MAX_ROBOTS_BYTES } from '#libs/robots';
import { trouble } from './robots-trouble.js';

/** What a site answers when it is asked for its robots.txt. */
export interface FetchedRobots {
  /** Where it was found in the end. */
  url: string;
  status: number;
  /** `null`: there is none, so that everything is allowed (RFC 9309 section 2.3.1.3). May be a byte too long. */
  bytes: Buffer | null;
}

/** Milliseconds for all of it, redirects included. */
const TIMEOUT_MS = 10_000;
/** Crawlers follow five at least (RFC 9309 section 2.3.1.2). */
const MAX_REDIRECTS = 5;

const HEADERS = { 'user-agent': 'AgentTraffic/1.0 (looks at robots.txt)', accept: 'text/plain, */*;q=0.1' };

/** Only public addresses on the usual ports, unless closed networks are meant. */
export const robotsEgress = (allowPrivate: boolean): EgressPolicy => ({
  allowPrivateAddresses: allowPrivate,
  allowHttp: true,
  allowedPorts: allowPrivate ? 'any' : [80, 443],
});

/**
 * Fetches a robots.txt as a crawler does (RFC 9309 section 2.3.1): redirects are followed, each under the same policy.
 *
 * @throws CliError when the site doesn't say, which for a crawler means that nothing is allowed for now.
 */
export async function fetchRobots(url: string, policy: EgressPolicy): Promise<FetchedRobots> {
  const fetch = fetchUnder(policy);
  const end = performance.now() + TIMEOUT_MS;
  let at = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const deadline = Math.max(1, Math.ceil(end - performance.now()));
    const limits = { maxBytes: MAX_ROBOTS_BYTES, isCutAllowed: true, isRedirectAllowed: true, deadline };
    const answer = await fetch(at, { ...limits, headers: HEADERS }).catch((error: unknown) => {
      throw unreachable(at, error, policy);
    });
    const next = redirectOf(answer, at);
    if (next === null) return judge(at, answer);
    at = next;
  }
  throw trouble(`${url} redirects more than ${MAX_REDIRECTS} times; crawlers give up there, too.`);
}

function redirectOf({ status, headers }: Fetched, from: string): string | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  const location = URL.parse(headers['location'] ?? '', from);
  if (headers['location'] === undefined || location === null) throw trouble(`${from} redirects to nowhere.`);
  location.hash = '';
  return location.href;
}

function judge(url: string, { status, body }: Fetched): FetchedRobots {
  if (status === 200) return { url, status, bytes: body };
  if (status >= 400 && status < 500) return { url, status, bytes: null };
  if (status < 500) throw trouble(`${url} answers with status ${status}, which says nothing about robots.txt.`);
  throw trouble(
    `${url} answers with status ${status}.`,
    'Crawlers take that for "nothing is allowed" until it answers again (RFC 9309 section 2.3.1.4).',
  );
}

function unreachable(url: string, error: unknown, policy: EgressPolicy): CliError {
  if (!(error instanceof GuardedFetchError)) return trouble(`Can't fetch ${url}: ${String(error)}`);
  if (error.fault !== 'address_refused') return trouble(`Can't fetch ${url}: ${error.message}`);
  return trouble(
    `${url} is not fetched: ${error.message.replace(`: ${url}`, '')}.`,
    policy.allowPrivateAddresses
      ? undefined
      : 'Only public addresses on ports 80 and 443 are; for a site of your own network, add --allow-private.',
  );
}
