import { formatCidr, parseAddress, parseCidr } from '#libs/agents';

/**
 * Returns an address's network in CIDR notation, or null if the text isn't an IP address. The prefix is /24 for IPv4
 * and /48 for IPv6, the size of a site in RFC 6177.
 */
export function getNetwork(address: string | null): string | null {
  const parsed = address === null ? null : parseAddress(address);
  if (parsed === null) return null;
  return formatCidr(parseCidr(`${parsed.text}/${parsed.family === 4 ? 24 : 48}`)!);
}
