import { isIPv4, isIPv6 } from 'node:net';
import { EnvError, makeValidator } from 'envalid';

/** Addresses of DNS servers, with an optional port; the servers of the operating system; or none. */
export type DnsServers = string[] | 'system' | 'off';

/**
 * Validator of DNS_SERVERS: `system`, `off`, or comma-separated addresses such as `192.0.2.53`, `192.0.2.53:5353` or
 * `[2001:db8::53]:53`.
 */
export const dnsServersSetting = makeValidator<DnsServers>((text) => {
  if (text === 'system' || text === 'off') return text;
  const entries = text.split(',').map((entry) => entry.trim());
  const wrong = entries.find((entry) => !isServer(entry));
  if (wrong !== undefined) {
    throw new EnvError(
      `must be system, off, or addresses like 192.0.2.53 or [2001:db8::53]:5353 with commas between, ` +
        `not ${JSON.stringify(wrong)}`,
    );
  }
  return entries;
});

/** Returns whether an entry is an IP address with an optional port. Host names would need DNS to be resolved. */
function isServer(entry: string): boolean {
  if (isIPv6(entry)) return true;
  const [, ipv6, ipv4, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const isAddress = ipv6 !== undefined ? isIPv6(ipv6) : isIPv4(ipv4 ?? '');
  return isAddress && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535));
}
