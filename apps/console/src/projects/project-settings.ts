import { isHostName, validateProjectProxies } from '#libs/agents';
import { BUNDLED_PARTS } from '#libs/catalog';
import type { Fault, ProjectChange } from '#libs/contracts';
import { invalidBodyError } from '#libs/platform';

/** Label between the dots in a host name. Allows underscores, which are common in private networks. */
const HOST_LABEL = /^[a-z\d_](?:[a-z\d_-]*[a-z\d_])?$/;
const NETWORKS: ReadonlySet<string> = new Set(BUNDLED_PARTS.proxies.map(({ operator }) => operator.toLowerCase()));
const PORT = /:\d{1,5}$/;

/**
 * Validates project settings and returns them with lowercase host names.
 *
 * @throws {ProblemError} 422 for errors that the schema can't express, such as an unknown time zone or an invalid
 * range.
 */
export function validateSettings<T extends ProjectChange>(settings: T): T {
  const errors: Fault[] = [];
  const { site_address: address, time_zone: zone, host_names: names, trusted_proxies: proxies } = settings;
  if (zone !== undefined && !isTimeZone(zone)) {
    errors.push({ pointer: '/time_zone', detail: 'must be an IANA time zone, such as Europe/Berlin' });
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
  for (const [index, name] of lowercaseNames?.entries() ?? []) {
    if (isHostName(name.replace(PORT, ''), HOST_LABEL)) continue;
    errors.push({ pointer: `/host_names/${index}`, detail: 'must be a host name' });
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
  if (errors.length > 0) throw invalidBodyError(errors);
  return lowercaseNames === undefined ? settings : { ...settings, host_names: lowercaseNames };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
