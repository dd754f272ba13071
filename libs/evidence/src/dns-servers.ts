import { isIPv4, isIPv6 } from 'node:net';
import { EnvError, makeValidator } from 'envalid';

/** DNS server addresses with optional ports, the operating system's servers, or no DNS at all. */
export type DnsServers = string[] | 'system' | 'off';

/**
 * Validates DNS_SERVERS: `system`, `off`, or comma-separated addresses such as `192.0.2.53`, `192.0.2.53:5353` or
 * `[2001:db8::53]:53`.
 */
export const dnsServersSetting = makeValidator<DnsServers>((text) => {
  if (text === 'system' || text === 'off') return text;
  const entries = text.split(',').map((entry) => entry.trim());
  const invalidEntry = entries.find((entry) => !isServerAddress(entry));
  if (invalidEntry !== undefined) {
    throw new EnvError(
      `must be system, off, or comma-separated addresses such as 192.0.2.53 or [2001:db8::53]:5353 ` +
        `(got ${JSON.stringify(invalidEntry)})`,
    );
  }
  return entries;
});

/**
 * Returns true for an IP address with an optional port. Host names aren't allowed, because resolving them would require
 * DNS.
 */
function isServerAddress(entry: string): boolean {
  if (isIPv6(entry)) return true;
  const [, ipv6, ipv4, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const isAddress = ipv6 !== undefined ? isIPv6(ipv6) : isIPv4(ipv4 ?? '');
  return isAddress && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535));
}
