import type { ClientNetwork } from '#libs/contracts';

export type { ClientNetwork };

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** `Germany`; a code that no country has stays as it is. */
export function countryName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

export const asNumberText = (number: number): string => `AS${number}`;

/** `Example Hosting, DE`, as short as it tells networks apart; empty for nothing known. */
export function shortNetwork(network: ClientNetwork | null): string {
  if (network === null) return '';
  const { operator_name: name, as_number: number, country_code: country } = network;
  return listed(name ?? (number && asNumberText(number)), country);
}

/** `AS64496, Germany`. */
export function networkDetails({ as_number: number, country_code: country }: ClientNetwork): string {
  return listed(number && asNumberText(number), country && countryName(country));
}

/** `Example Hosting, AS64496, Germany`; empty for nothing known. */
export const fullNetwork = (network: ClientNetwork | null): string =>
  network === null ? '' : listed(network.operator_name, networkDetails(network));

const listed = (...parts: readonly (string | 0 | null)[]): string => parts.filter(Boolean).join(', ');
