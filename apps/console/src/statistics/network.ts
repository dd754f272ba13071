import { cidr, parseAddress, parseCidr } from '#libs/agents';

/**
 * Returns the network of an address as CIDR. IPv4 uses /24, IPv6 uses /48, the size of a site (RFC 6177). Returns null
 * for text that isn't an address.
 */
export function networkOf(address: string | null): string | null {
  const parsed = address === null ? null : parseAddress(address);
  if (parsed === null) return null;
  return cidr(parseCidr(`${parsed.text}/${parsed.family === 4 ? 24 : 48}`)!);
}
