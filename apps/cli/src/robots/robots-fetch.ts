import { fetchRobotsTxt, type EgressPolicy } from '#libs/evidence';
import { trouble } from './robots-trouble.js';

/** What a site answers when it is asked for its robots.txt. */
interface FetchedRobots {
  /** Where it was found in the end. */
  url: string;
  status: number;
  /** `null`: there is none, so that everything is allowed (RFC 9309 section 2.3.1.3). May be a byte too long. */
  bytes: Buffer | null;
}

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
