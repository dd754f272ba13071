import { cidr, parseAddress, parseCidr } from '#libs/agents';

/**
 * Returns the network that an address belongs to, as CIDR: /24 of IPv4, and /48 of IPv6, which is what one site is
 * given (RFC 6177). Returns null for a text that is not an address.
 */
export function networkOf(address: string | null): string | null {
  const parsed = address === null ? null : parseAddress(address);
  if (parsed === null) return null;
  return cidr(parseCidr(`${parsed.text}/${parsed.family === 4 ? 24 : 48}`)!);
}
