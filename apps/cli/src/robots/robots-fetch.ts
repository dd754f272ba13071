import { fetchRobotsTxt, type EgressPolicy } from '#libs/evidence';
import { robotsError } from './robots-error.js';

interface FetchedRobots {
  /** URL after redirects. */
  url: string;
  status: number;
  /**
   * Content of at most the size limit plus one byte. Null if the site has no robots.txt, so everything is allowed (RFC
   * 9309, section 2.3.1.3).
   */
  bytes: Buffer | null;
}

/** Returns a policy that allows public addresses on ports 80 and 443, or any address and port. */
export const robotsEgress = (allowPrivate: boolean): EgressPolicy => ({
  allowPrivateAddresses: allowPrivate,
  allowHttp: true,
  allowedPorts: allowPrivate ? 'any' : [80, 443],
});

/**
 * Fetches a robots.txt as crawlers do (RFC 9309, section 2.3.1). The policy also applies to redirects.
 *
 * @throws {CliError} if the response doesn't show which rules apply.
 */
export async function fetchRobots(url: string, policy: EgressPolicy): Promise<FetchedRobots> {
  const result = await fetchRobotsTxt(url, policy);
  switch (result.outcome) {
    case 'found':
      return result;
    case 'missing':
      if (result.status >= 400) return { ...result, bytes: null };
      throw robotsError(`${result.url} ${result.reason}. Crawlers treat this as a missing robots.txt.`);
    case 'unreachable':
      if (result.status === null) throw robotsError(`Can't fetch ${result.url}: ${result.reason}`);
      throw robotsError(
        `${result.url} ${result.reason}.`,
        'Crawlers must assume that nothing is allowed until the server recovers (RFC 9309, section 2.3.1.4).',
      );
    case 'unknown':
      if (result.fault !== 'address_refused') throw robotsError(`${result.url}: ${result.reason}.`);
      throw robotsError(
        `The request to ${result.url} was blocked: ${result.reason}.`,
        policy.allowPrivateAddresses
          ? undefined
          : 'By default, only public addresses on ports 80 and 443 are allowed. For a site in your network, add --allow-private.',
      );
    case 'unchanged':
      throw new Error('unexpected "unchanged" outcome of an unconditional fetch');
  }
}
