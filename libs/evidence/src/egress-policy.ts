import ipaddr from 'ipaddr.js';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';

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

/** IANA's special-purpose registries, and what only looks like IPv6: addresses in these lead to an IPv4 address. */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '::1/128',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
].map((block) => ipaddr.parseCIDR(block));

/** All of IPv6 that is given to anybody to use in public. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Whether an address is global unicast: reachable from anywhere, and nobody's inside. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address.kind() === 'ipv6' && !address.match(GLOBAL_IPV6)) return false;
  return !NOT_PUBLIC.some((block) => block[0].kind() === address.kind() && address.match(block));
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
