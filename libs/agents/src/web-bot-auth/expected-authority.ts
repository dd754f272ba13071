import { parseHost } from '../address.js';
import { INTERNAL_RANGES } from '../special-purpose-addresses.js';

const INTERNAL_SUFFIX = /\.(?:local|localhost|localdomain|internal|intranet|lan|home\.arpa|svc)$/;

/**
 * Classifies a request's authority. `internal` means that a proxy probably replaced the original host with an internal
 * server name, so the original is unknown.
 *
 * @param authority Lowercase authority, with or without a port.
 * @param hostNames The site's lowercase host names. If empty, any authority is expected.
 */
export function classifyAuthority(
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
