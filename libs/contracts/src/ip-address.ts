import { isIP } from 'node:net';

/** Name of the schema format: an IPv4 or IPv6 address, optionally with a zone. */
export const IP_ADDRESS = 'ip-address';

/** Longest IPv6 address, `%`, and longest Linux interface name. */
const MAX_LENGTH = 45 + 1 + 15;

export const isIpAddress = (text: string): boolean => text.length <= MAX_LENGTH && isIP(text) !== 0;

/** IPv4-mapped IPv6 address. */
const MAPPED = /^\[::ffff:[^:]+:[^:]+\]$/;

/** Returns whether a text is an address or a network such as 2001:db8::/32. Zones and mapped addresses are invalid. */
export function isNetwork(text: string): boolean {
  const slash = text.indexOf('/');
  const address = slash === -1 ? text : text.slice(0, slash);
  if (!isIpAddress(address) || address.includes('%')) return false;
  const bits = isIP(address) === 4 ? 32 : 128;
  if (bits === 128 && MAPPED.test(new URL(`http://[${address}]`).hostname)) return false;
  const prefix = slash === -1 ? '0' : text.slice(slash + 1);
  return /^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= bits;
}
