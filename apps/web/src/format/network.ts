import type { ClientNetwork } from '#libs/contracts';

export type { ClientNetwork };

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** Returns a country's name, such as "Germany". Returns unknown codes unchanged. */
export function countryName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

export const asNumberText = (number: number): string => `AS${number}`;

/** Returns the operator or AS number and the country code, such as "Example Hosting, DE". Empty if unknown. */
export function shortNetwork(network: ClientNetwork | null): string {
  if (network === null) return '';
  const { operator_name: name, as_number: number, country_code: country } = network;
  return listed(name ?? (number && asNumberText(number)), country);
}

/** Returns the AS number and the country, such as "AS64496, Germany". */
export function networkDetails({ as_number: number, country_code: country }: ClientNetwork): string {
  return listed(number && asNumberText(number), country && countryName(country));
}

/** Returns the operator, AS number and country, such as "Example Hosting, AS64496, Germany". Empty if unknown. */
export const fullNetwork = (network: ClientNetwork | null): string =>
  network === null ? '' : listed(network.operator_name, networkDetails(network));

const listed = (...parts: readonly (string | 0 | null)[]): string => parts.filter(Boolean).join(', ');
