const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;
/** Characters of an IPv6 address. Anything else must not reach the URL parser. */
const IPV6 = /^[\da-f:.]{2,45}$/i;
const ZONE = /^[\w.:-]+$/;
const HOST_NAME = /^[a-z\d_](?:[a-z\d._-]*[a-z\d.])?$/i;
/**
 * A host name can't end in a number (url.spec.whatwg.org/#ends-in-a-number-checker). Excludes `198.51.100.07`, `12` and
 * `a.log-198.51.100.7`.
 */
const ENDS_IN_NUMBER = /(?:^|\.)\d+\.?$/;
const MAX_HOST_NAME_LENGTH = 253;

/** Returns true if the text is an IP address. Also works in browsers, which don't have Node's `isIP`. */
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
 * Returns the IP address in `192.0.2.7`, `192.0.2.7:443`, `[2001:db8::1]` or `[2001:db8::1]:443`, or null for anything
 * else. IPv6 addresses without brackets can't have a port.
 */
export function ipAddressIn(text: string): string | null {
  if (isIpAddress(text)) return text;
  const address = text.startsWith('[')
    ? /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1]
    : /^([\d.]+):\d{1,5}$/.exec(text)?.[1];
  return address !== undefined && isIpAddress(address) ? address : null;
}

/**
 * IPv6 ranges of visitors: global, translated, private, link-local and loopback. Truncated addresses are in none of
 * them.
 */
const USED_IPV6 = /^(?:::|[23][\da-f]{3}:|f[cde][\da-f]{2}:|64:ff9b:)/i;

/**
 * Returns true if an IP address can belong to a visitor. `12:1:2001:db8::7` can't: it starts with a line and a column
 * number.
 */
export const isUsedAddress = (address: string): boolean => !address.includes(':') || USED_IPV6.test(address);

/** An IPv4 address with a masked last part: `198.51.100.xxx`. */
const MASKED = /^(?:\d+\.){3}[a-z]+$/i;

/**
 * Returns true if the text is a client's host name. A name without a dot could also be a logger, a container or
 * `unknown`.
 */
const isNameOfClient = (text: string): boolean =>
  text === 'localhost' || (text.includes('.') && isHostName(text) && !MASKED.test(text));

/** The client that nginx logs for connections over a Unix socket. The visitor's address is in a header. */
export const UNIX_SOCKET = 'unix:';

/**
 * Returns the client in a field: an address without brackets and port, a host name, or `unix:`. Returns null for
 * anything else.
 */
export function clientIn(text: string): string | null {
  const address = ipAddressIn(text);
  if (address !== null) return isUsedAddress(address) ? address : null;
  return isNameOfClient(text) || text === UNIX_SOCKET ? text : null;
}
