import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { isPublicAddress as isPublic, parseAddress } from '#libs/agents';

export interface EgressPolicy {
  /** Also allows IP literals, single-label names and private names. For tests and closed networks. */
  allowPrivateAddresses: boolean;
  allowedPorts: readonly number[] | 'any';
  allowHttp?: boolean;
  /** Also allows URLs with a public IP address instead of a host name. */
  allowAddresses?: boolean;
  /** PEM certificates of additional authorities to trust. */
  ca?: string;
  /** Resolves a name to all its addresses. Default: the system's resolver. */
  lookup?: (hostName: string) => Promise<LookupAddress[]>;
}

export const PUBLIC_EGRESS: EgressPolicy = { allowPrivateAddresses: false, allowedPorts: [443] };

const PRIVATE_NAMES = /(?:^|\.)(?:local|internal|localhost|home\.arpa|invalid)$/;

/** Returns whether a text is a globally routable address. Rejects zones and IPv4-mapped IPv6 addresses. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = parseAddress(text);
  return address !== null && address.family === isIP(text) && isPublic(address);
}

/** Returns why the policy rejects a URL, or `null` if it doesn't. Doesn't resolve the host name. */
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
