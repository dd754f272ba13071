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

const joinParts = (...parts: readonly (string | 0 | null)[]): string => parts.filter(Boolean).join(', ');
