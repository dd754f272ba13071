import { parseAddress } from '#libs/agents';

/**
 * Returns the network that an address belongs to, as CIDR: /24 of IPv4, and /48 of IPv6, which is what one site is
 * given (RFC 6177). Returns null for a text that is not an address.
 */
export function networkOf(address: string | null): string | null {
  const parsed = address === null ? null : parseAddress(address);
  if (parsed === null) return null;
  if (parsed.family === 4) return `${parsed.text.slice(0, parsed.text.lastIndexOf('.'))}.0/24`;
  const groups = parsed.value.slice(0, 12).match(/.{4}/g)!;
  return `${parseAddress(`${groups.join(':')}::`)!.text}/48`;
}
