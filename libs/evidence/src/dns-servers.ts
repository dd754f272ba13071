import { isIPv4, isIPv6 } from 'node:net';
import { EnvError, makeValidator } from 'envalid';

/** Addresses, with a port where it isn't 53; or those that the system asks; or none. */
export type DnsServers = string[] | 'system' | 'off';

/** Validator of DNS_SERVERS: `system`, `off`, or addresses like `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:53`. */
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

/** Names of servers are refused: whom should one ask for their addresses? */
function isServer(entry: string): boolean {
  if (isIPv6(entry)) return true;
  const [, ipv6, ipv4, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const isAddress = ipv6 !== undefined ? isIPv6(ipv6) : isIPv4(ipv4 ?? '');
  return isAddress && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535));
}
