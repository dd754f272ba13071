import type { ClientNetwork } from '#libs/contracts';

type NetworkRecord = Omit<ClientNetwork, 'prefix'>;

const MAX_NAME_LENGTH = 200;
const MAX_AS_NUMBER = 2 ** 32 - 1;

/**
 * Parses a record from an MMDB file. Supports the fields in MaxMind and DB-IP files (`country.iso_code`,
 * `autonomous_system_number`, `autonomous_system_organization`) and in IPinfo files (`country_code` or `country`, `asn`
 * as `AS64496`, `as_name` or `name`).
 */
export function readNetworkRecord(record: unknown): NetworkRecord {
  const fields = toFields(record);
  return {
    as_number: parseAsNumber(fields['autonomous_system_number'] ?? fields['asn']),
    operator_name: parseName(fields['autonomous_system_organization'] ?? fields['as_name'] ?? fields['name']),
    country_code: parseCountryCode(
      toFields(fields['country'])['iso_code'] ?? fields['country_code'] ?? fields['country'],
    ),
  };
}

function parseAsNumber(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(/^(?:AS)?(\d{1,10})$/i.exec(value)?.[1]) : value;
  return Number.isInteger(number) && Number(number) >= 1 && Number(number) <= MAX_AS_NUMBER ? Number(number) : null;
}

function parseName(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim().slice(0, MAX_NAME_LENGTH) : '';
  return text === '' ? null : text;
}

const parseCountryCode = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Z]{2}$/.test(value) ? value : null;

const toFields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
