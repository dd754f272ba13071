import { parseHost } from '../address.js';
import { INTERNAL_RANGES } from '../special-purpose-addresses.js';

const INTERNAL_SUFFIX = /\.(?:local|localhost|localdomain|internal|intranet|lan|home\.arpa|svc)$/;

/**
 * Whether a request's authority is one of the site's. `internal`: it isn't, but looks as if a proxy on the way had
 * written the name of the machine behind it, so nothing is known of the one that was asked for.
 *
 * @param authority in lower case, with or without a port.
 * @param hostNames in lower case; empty accepts any.
 */
export function authorityStanding(
  authority: string,
  hostNames: readonly string[],
): 'expected' | 'internal' | 'foreign' {
  if (hostNames.length === 0 || hostNames.includes(authority)) return 'expected';
  const host = authority.replace(/:\d{1,5}$/, '').replace(/\.$/, '');
  if (hostNames.includes(host)) return 'expected';
  const address = parseHost(host);
  const isInternal =
    address === null ? !host.includes('.') || INTERNAL_SUFFIX.test(host) : INTERNAL_RANGES.contains(address);
  return isInternal ? 'internal' : 'foreign';
}
