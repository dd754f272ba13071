const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;
/** Characters of an IPv6 address: nothing else may reach the parser of URLs. */
const IPV6 = /^[\da-f:.]{2,45}$/i;
const ZONE = /^[\w.:-]+$/;
const HOST_NAME = /^[a-z\d_](?:[a-z\d._-]*[a-z\d.])?$/i;
/** A name doesn't end in a number (url.spec.whatwg.org/#ends-in-a-number-checker): `198.51.100.07`, `12`, `a.log-198.51.100.7`. */
const ENDS_IN_NUMBER = /(?:^|\.)\d+\.?$/;
const MAX_HOST_NAME_LENGTH = 253;

/** Whether the text is an IP address, as `isIP` of Node.js has it, which browsers lack. */
export function isIpAddress(text: string): boolean {
  if (!text.includes(':')) return IPV4.test(text);
  const zone = text.indexOf('%');
  if (zone !== -1 && !ZONE.test(text.slice(zone + 1))) return false;
  const address = zone === -1 ? text : text.slice(0, zone);
  return IPV6.test(address) && URL.canParse(`http://[${address}]/`);
}

export const isHostName = (text: string): boolean =>
  text.length <= MAX_HOST_NAME_LENGTH && HOST_NAME.test(text) && !ENDS_IN_NUMBER.test(text);

/**
 * Returns the IP address in `192.0.2.7`, `192.0.2.7:443`, `[2001:db8::1]` or `[2001:db8::1]:443`, or null for anything else. An
 * IPv6 address without brackets has no port.
 */
export function ipAddressIn(text: string): string | null {
  if (isIpAddress(text)) return text;
  const address = text.startsWith('[')
    ? /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1]
    : /^([\d.]+):\d{1,5}$/.exec(text)?.[1];
  return address !== undefined && isIpAddress(address) ? address : null;
}

/** Ranges of IPv6 that visitors have: global, translated, private, link-local and loopback. A cut address is in none of them. */
const USED_IPV6 = /^(?:::|[23][\da-f]{3}:|f[cde][\da-f]{2}:|64:ff9b:)/i;

/** Whether an IP address can be a visitor's: `12:1:2001:db8::7` has the numbers of a line and a column in front. */
export const isUsedAddress = (address: string): boolean => !address.includes(':') || USED_IPV6.test(address);

/** An IPv4 address whose last part was masked: `198.51.100.xxx`. */
const MASKED = /^(?:\d+\.){3}[a-z]+$/i;

/**
 * Whether the text is the name of a visitor's host. A name without a dot can be anything else: a logger, a container, or `unknown`.
 */
const isNameOfClient = (text: string): boolean =>
  text === 'localhost' || (text.includes('.') && isHostName(text) && !MASKED.test(text));

/** Client of nginx behind a Unix socket: the visitor's address is in a header. */
export const UNIX_SOCKET = 'unix:';

/** Returns the client that a field names: its address without brackets and port, or its host name; null for anything else. */
export function clientIn(text: string): string | null {
  const address = ipAddressIn(text);
  if (address !== null) return isUsedAddress(address) ? address : null;
  return isNameOfClient(text) || text === UNIX_SOCKET ? text : null;
}
