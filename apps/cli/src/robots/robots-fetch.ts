import { fetchRobotsTxt, type EgressPolicy } from '#libs/evidence';
import { trouble } from './robots-trouble.js';

interface FetchedRobots {
  /** Final URL, after redirects. */
  url: string;
  status: number;
  /**
   * Null if the site has no robots.txt, so everything is allowed (RFC 9309, section 2.3.1.3). Can exceed the size limit
   * by one byte.
   */
  bytes: Buffer | null;
}

/** Allows public addresses on ports 80 and 443, or any address and port. */
export const robotsEgress = (allowPrivate: boolean): EgressPolicy => ({
  allowPrivateAddresses: allowPrivate,
  allowHttp: true,
  allowedPorts: allowPrivate ? 'any' : [80, 443],
});

/**
 * Fetches a robots.txt like a crawler (RFC 9309, section 2.3.1). The policy also applies to redirects.
 *
 * @throws CliError if the response doesn't determine which rules apply.
 */
export async function fetchRobots(url: string, policy: EgressPolicy): Promise<FetchedRobots> {
  const answer = await fetchRobotsTxt(url, policy);
  switch (answer.outcome) {
    case 'found':
      return answer;
    case 'missing':
      if (answer.status >= 400) return { ...answer, bytes: null };
      throw trouble(`${answer.url} ${answer.reason}; crawlers take that for no robots.txt.`);
    case 'unreachable':
      if (answer.status === null) throw trouble(`Can't fetch ${answer.url}: ${answer.reason}`);
      throw trouble(
        `${answer.url} ${answer.reason}.`,
        'Crawlers take that for "nothing is allowed" until it answers again (RFC 9309 section 2.3.1.4).',
      );
    case 'unknown':
      if (answer.fault !== 'address_refused') throw trouble(`${answer.url}: ${answer.reason}.`);
      throw trouble(
        `${answer.url} is not fetched: ${answer.reason}.`,
        policy.allowPrivateAddresses
          ? undefined
          : 'Only public addresses on ports 80 and 443 are; for a site of your own network, add --allow-private.',
      );
    case 'unchanged':
      throw new Error('nothing is known of it');
  }
}
