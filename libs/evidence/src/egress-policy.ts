import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { isPublicAddress as isPublic, parseAddress } from '#libs/agents';

export interface EgressPolicy {
  /** Also allows IP literals, single-label names and private names. For tests and closed networks. */
  allowPrivateAddresses: boolean;
  allowedPorts: readonly number[] | 'any';
  allowHttp?: boolean;
  /** Also allows URLs that contain a public IP address instead of a host name. */
  allowAddresses?: boolean;
  /** PEM certificates of additional certificate authorities to trust. */
  ca?: string;
  /** Resolves a host name to all of its addresses. Default: the operating system's resolver. */
  lookup?: (hostName: string) => Promise<LookupAddress[]>;
}

export const PUBLIC_EGRESS: EgressPolicy = { allowPrivateAddresses: false, allowedPorts: [443] };

const PRIVATE_NAMES = /(?:^|\.)(?:local|internal|localhost|home\.arpa|invalid)$/;

/** Returns true for a globally routable IP address. Rejects zones and IPv4-mapped IPv6 addresses. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = parseAddress(text);
  return address !== null && address.family === isIP(text) && isPublic(address);
}

/** Returns the reason that the policy rejects a URL, or null if it allows it. Doesn't resolve the host name. */
export function getUrlRejection(url: URL, policy: EgressPolicy): string | null {
  const isHttp = url.protocol === 'http:' && policy.allowHttp === true;
  if (url.protocol !== 'https:' && !isHttp) return policy.allowHttp ? 'it must use http or https' : 'it must use https';
  if (url.username !== '' || url.password !== '') return 'it contains a user name or password';
  const port = Number(url.port || (isHttp ? 80 : 443));
  if (policy.allowedPorts !== 'any' && !policy.allowedPorts.includes(port)) return `port ${port} is not allowed`;
  if (policy.allowPrivateAddresses) return null;
  const name = url.hostname.replace(/\.$/, '');
  const address = name.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) {
    if (policy.allowAddresses !== true) return 'it contains an IP address instead of a host name';
    return isPublicAddress(address) ? null : 'its address is not public';
  }
  if (!name.includes('.') || PRIVATE_NAMES.test(name)) return 'its host is on a private network';
  return null;
}
