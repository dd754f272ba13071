import { isIP } from 'node:net';

/** Name of the format: one IPv4 or IPv6 address, with a zone at most. */
export const IP_ADDRESS = 'ip-address';

/** The longest IPv6 address, and the name of an interface of Linux. */
const MAX_LENGTH = 45 + 1 + 15;

export const isIpAddress = (text: string): boolean => text.length <= MAX_LENGTH && isIP(text) !== 0;

/** How an IPv4 address looks that is written as an IPv6 one. */
const MAPPED = /^\[::ffff:[^:]+:[^:]+\]$/;

/** Whether the text is an address or a network, such as 192.0.2.0/24 or 2001:db8::/32; without zones and mapped addresses. */
export function isNetwork(text: string): boolean {
  const slash = text.indexOf('/');
  const address = slash === -1 ? text : text.slice(0, slash);
  if (!isIpAddress(address) || address.includes('%')) return false;
  const bits = isIP(address) === 4 ? 32 : 128;
  if (bits === 128 && MAPPED.test(new URL(`http://[${address}]`).hostname)) return false;
  const prefix = slash === -1 ? '0' : text.slice(slash + 1);
  return /^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= bits;
}
