import { isIP } from 'node:net';

/** Schema format for IPv4 and IPv6 addresses, with an optional zone. */
export const IP_ADDRESS = 'ip-address';

/** Length of the longest IPv6 address, `%`, and the longest Linux interface name. */
const MAX_LENGTH = 45 + 1 + 15;

export const isIpAddress = (text: string): boolean => text.length <= MAX_LENGTH && isIP(text) !== 0;

/** Matches the URL host of an IPv4-mapped IPv6 address. */
const MAPPED = /^\[::ffff:[^:]+:[^:]+\]$/;

/** Returns true for an address or a network such as 2001:db8::/32, but not for zones or IPv4-mapped addresses. */
export function isNetwork(text: string): boolean {
  const slash = text.indexOf('/');
  const address = slash === -1 ? text : text.slice(0, slash);
  if (!isIpAddress(address) || address.includes('%')) return false;
  const bits = isIP(address) === 4 ? 32 : 128;
  if (bits === 128 && MAPPED.test(new URL(`http://[${address}]`).hostname)) return false;
  const prefix = slash === -1 ? '0' : text.slice(slash + 1);
  return /^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= bits;
}
