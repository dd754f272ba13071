import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { isPublicAddress as isPublic, parseAddress } from '#libs/agents';

/** Where this process may fetch from. */
export interface EgressPolicy {
  /** Also admits IP literals, single-label names and names of private networks: for tests, and for closed networks. */
  allowPrivateAddresses: boolean;
  allowedPorts: readonly number[] | 'any';
  /** Admits http beside https, for what is public anyway and proves nothing. */
  allowHttp?: boolean;
  /** Admits public addresses in place of host names. */
  allowAddresses?: boolean;
  /** PEM certificates of authorities to trust beside the usual ones. */
  ca?: string;
  /** All addresses of a name; the system's resolver when absent. */
  lookup?: (hostName: string) => Promise<LookupAddress[]>;
}

export const PUBLIC_EGRESS: EgressPolicy = { allowPrivateAddresses: false, allowedPorts: [443] };

const PRIVATE_NAMES = /(?:^|\.)(?:local|internal|localhost|home\.arpa|invalid)$/;

/** Returns whether a text is an address of global unicast, without a zone; IPv4 is refused in the form of IPv6. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = parseAddress(text);
  return address !== null && address.family === isIP(text) && isPublic(address);
}

/** Why a URL may not be fetched from, whatever its name leads to; `null` when it may. */
export function urlRefusal(url: URL, policy: EgressPolicy): string | null {
  const isHttp = url.protocol === 'http:' && policy.allowHttp === true;
  if (url.protocol !== 'https:' && !isHttp) return policy.allowHttp ? 'it is not http or https' : 'it is not https';
  if (url.username !== '' || url.password !== '') return 'it has a user name or password';
  const port = Number(url.port || (isHttp ? 80 : 443));
  if (policy.allowedPorts !== 'any' && !policy.allowedPorts.includes(port)) return `port ${port} is not allowed`;
  if (policy.allowPrivateAddresses) return null;
  const name = url.hostname.replace(/\.$/, '');
  const address = name.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) {
    if (policy.allowAddresses !== true) return 'it names an address instead of a host';
    return isPublicAddress(address) ? null : 'its address is not public';
  }
  if (!name.includes('.') || PRIVATE_NAMES.test(name)) return 'its host is one of a private network';
  return null;
}
