import type { ClientNetwork } from '#libs/contracts';

export type { ClientNetwork };

const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** Returns a country's name, such as "Germany". Returns unknown codes unchanged. */
export function getCountryName(code: string): string {
  try {
    return regionNames.of(code) ?? code;
  } catch {
    return code;
  }
}

export const formatAsNumber = (number: number): string => `AS${number}`;

/** Returns the operator or AS number and the country code, such as "Example Hosting, DE". Empty if unknown. */
export function formatShortNetwork(network: ClientNetwork | null): string {
  if (network === null) return '';
  const { operator_name: name, as_number: number, country_code: country } = network;
  return joinParts(name ?? (number && formatAsNumber(number)), country);
}

/** Returns the AS number and the country, such as "AS64496, Germany". */
export function formatNetworkDetails({ as_number: number, country_code: country }: ClientNetwork): string {
  return joinParts(number && formatAsNumber(number), country && getCountryName(country));
}

/** Returns the operator, AS number and country, such as "Example Hosting, AS64496, Germany". Empty if unknown. */
export const formatNetwork = (network: ClientNetwork | null): string =>
  network === null ? '' : joinParts(network.operator_name, formatNetworkDetails(network));

/**
 * Returns an address's network in CIDR notation: a /24 for IPv4 and a /48 for IPv6, like the API. Returns null if the
 * text isn't an address.
 */
export function getNetwork(address: string): string | null {
  if (address.includes('.')) return address.includes(':') ? null : `${address.split('.').slice(0, 3).join('.')}.0/24`;
  if (!address.includes(':')) return null;
  // A double colon stands for the groups of zeros that are missing.
  const [start = [], end = []] = address.split('::').map((text) => text.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - start.length - end.length)).fill('0');
  const groups = [...start, ...zeros, ...end].slice(0, 3);
  while (groups.at(-1) === '0') groups.pop();
  return `${groups.join(':')}::/48`;
}

const joinParts = (...parts: readonly (string | 0 | null)[]): string => parts.filter(Boolean).join(', ');
