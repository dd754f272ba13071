import { isHostName, projectProxiesFaults } from '#libs/agents';
import { BUNDLED_PARTS } from '#libs/catalog';
import type { Fault, ProjectChange } from '#libs/contracts';
import { unfitBody } from '#libs/platform';

/** Label of a host name. Allows underscores, which occur in private networks. */
const LABEL = /^[a-z\d_](?:[a-z\d_-]*[a-z\d_])?$/;
const NETWORKS: ReadonlySet<string> = new Set(BUNDLED_PARTS.proxies.map(({ operator }) => operator.toLowerCase()));
const PORT = /:\d{1,5}$/;

/**
 * Validates project settings, and returns them with host names in lower case.
 *
 * @throws {ProblemError} 422 for errors that a schema can't express, such as an unknown time zone, a site address that
 *   isn't HTTP(S) or an invalid range.
 */
export function checkedSettings<T extends ProjectChange>(settings: T): T {
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
      detail: 'must not contain a user name or password: remove it, with the @',
    });
  }
  const lowered = names?.map((name) => name.toLowerCase());
  for (const [index, name] of lowered?.entries() ?? []) {
    if (isHostName(name.replace(PORT, ''), LABEL)) continue;
    errors.push({ pointer: `/host_names/${index}`, detail: 'must be a host name' });
  }
  for (const { pointer, detail } of proxies === undefined ? [] : projectProxiesFaults(proxies)) {
    errors.push({ pointer: `/trusted_proxies${pointer}`, detail });
  }
  for (const [index, name] of proxies?.networks?.entries() ?? []) {
    if (NETWORKS.has(name.toLowerCase())) continue;
    errors.push({
      pointer: `/trusted_proxies/networks/${index}`,
      detail: 'must be a known network, as GET /api/projects/{id}/visitor-path lists them',
    });
  }
  if (errors.length > 0) throw unfitBody(errors);
  return lowered === undefined ? settings : { ...settings, host_names: lowered };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
