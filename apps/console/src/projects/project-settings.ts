import { isHostName, validateProjectProxies } from '#libs/agents';
import { BUNDLED_PARTS } from '#libs/catalog';
import type { Fault, ProjectChange } from '#libs/contracts';
import { invalidBodyError } from '#libs/platform';

/** Label between the dots in a host name. Allows underscores, which are common in private networks. */
const HOST_LABEL = /^[a-z\d_](?:[a-z\d_-]*[a-z\d_])?$/;
const NETWORKS: ReadonlySet<string> = new Set(BUNDLED_PARTS.proxies.map(({ operator }) => operator.toLowerCase()));
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const PORT = /:\d{1,5}$/;

/**
 * Validates project settings and returns them with lowercase host names.
 *
 * @throws {ProblemError} 422 for errors that the schema can't express, such as an unknown time zone or an invalid
 * range.
 */
export function validateSettings<T extends ProjectChange>(settings: T): T {
  const errors: Fault[] = [];
  const {
    site_address: address,
    time_zone: zone,
    host_names: names,
    trusted_proxies: proxies,
    currency,
    toll_hosts: tolls,
  } = settings;
  if (zone !== undefined && !isTimeZone(zone)) {
    errors.push({ pointer: '/time_zone', detail: 'must be an IANA time zone, such as Europe/Berlin' });
  }
  if (currency !== undefined && !CURRENCIES.has(currency)) {
    errors.push({ pointer: '/currency', detail: 'must be an ISO 4217 currency code, such as USD' });
  }
  const site = address == null ? null : new URL(address);
  if (site !== null && !/^https?:$/.test(site.protocol)) {
    errors.push({ pointer: '/site_address', detail: 'must start with https:// or http://' });
  }
  if (site !== null && site.username + site.password !== '') {
    errors.push({
      pointer: '/site_address',
      detail: 'must not contain a user name or password: remove everything up to the @',
    });
  }
  const lowercaseNames = names?.map((name) => name.toLowerCase());
  const lowercaseTolls = tolls?.map((name) => name.toLowerCase());
  for (const [field, hosts = []] of [
    ['host_names', lowercaseNames],
    ['toll_hosts', lowercaseTolls],
  ] as const) {
    for (const [index, name] of hosts.entries()) {
      if (isHostName(name.replace(PORT, ''), HOST_LABEL)) continue;
      errors.push({ pointer: `/${field}/${index}`, detail: 'must be a host name' });
    }
  }
  const priced = settings.list_prices?.map((price) => price.currency) ?? [];
  for (const [index, code] of priced.entries()) {
    if (priced.indexOf(code) === index) continue;
    errors.push({ pointer: `/list_prices/${index}/currency`, detail: 'must be different from the other currencies' });
  }
  for (const { pointer, detail } of proxies === undefined ? [] : validateProjectProxies(proxies)) {
    errors.push({ pointer: `/trusted_proxies${pointer}`, detail });
  }
  for (const [index, name] of proxies?.networks?.entries() ?? []) {
    if (NETWORKS.has(name.toLowerCase())) continue;
    errors.push({
      pointer: `/trusted_proxies/networks/${index}`,
      detail: 'must be one of the networks that GET /api/projects/{id}/visitor-path returns',
    });
  }
  for (const key of ['name', 'pattern'] as const) {
    const values = settings.path_patterns?.map((named) => named[key]) ?? [];
    for (const [index, value] of values.entries()) {
      if (values.indexOf(value) === index) continue;
      errors.push({
        pointer: `/path_patterns/${index}/${key}`,
        detail: 'must be different from that of other patterns',
      });
    }
  }
  if (errors.length > 0) throw invalidBodyError(errors);
  return {
    ...settings,
    ...(lowercaseNames !== undefined && { host_names: lowercaseNames }),
    ...(lowercaseTolls !== undefined && { toll_hosts: lowercaseTolls }),
  };
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
