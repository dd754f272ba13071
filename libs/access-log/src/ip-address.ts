const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;
/** Characters in an IPv6 address. Other characters must not reach the URL parser. */
const IPV6 = /^[\da-f:.]{2,45}$/i;
const ZONE = /^[\w.:-]+$/;
const HOST_NAME = /^[a-z\d_](?:[a-z\d._-]*[a-z\d.])?$/i;
/**
 * Matches host names that end in a number and are therefore invalid (url.spec.whatwg.org/#ends-in-a-number-checker).
 * Examples are `198.51.100.07`, `12` and `a.log-198.51.100.7`.
 */
const ENDS_IN_NUMBER = /(?:^|\.)\d+\.?$/;
const MAX_HOST_NAME_LENGTH = 253;

/** Returns true if the text is an IP address. Unlike `isIP` from Node.js, this also works in browsers. */
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
 * Extracts the IP address from `192.0.2.7`, `192.0.2.7:443`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:443`.
 * Returns null for anything else. IPv6 addresses with a port must be in brackets.
 */
export function parseIpAddress(text: string): string | null {
  if (isIpAddress(text)) return text;
  const address = text.startsWith('[')
    ? /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1]
    : /^([\d.]+):\d{1,5}$/.exec(text)?.[1];
  return address !== undefined && isIpAddress(address) ? address : null;
}

/**
 * IPv6 ranges that visitors can have: global, translated, private, link-local and loopback. Truncated addresses are
 * outside all of them.
 */
const VISITOR_IPV6 = /^(?:::|[23][\da-f]{3}:|f[cde][\da-f]{2}:|64:ff9b:)/i;

/**
 * Returns true if an IP address can belong to a visitor. For example, `12:1:2001:db8::7` can't, because it's an address
 * with a line and column number in front.
 */
export const isVisitorAddress = (address: string): boolean => !address.includes(':') || VISITOR_IPV6.test(address);

/** IPv4 address with a masked last part, such as `198.51.100.xxx`. */
const MASKED = /^(?:\d+\.){3}[a-z]+$/i;

/**
 * Returns true if the text is a client's host name. Names without a dot are rejected, because they could also be a
 * logger, a container or `unknown`.
 */
const isClientHostName = (text: string): boolean =>
  text === 'localhost' || (text.includes('.') && isHostName(text) && !MASKED.test(text));

/** Client that nginx logs for connections over a Unix socket. The visitor's address is in a header instead. */
export const UNIX_SOCKET = 'unix:';

/**
 * Extracts the client from a field: an address without brackets and port, a host name, or `unix:`. Returns null for
 * anything else.
 */
export function parseClient(text: string): string | null {
  const address = parseIpAddress(text);
  if (address !== null) return isVisitorAddress(address) ? address : null;
  return isClientHostName(text) || text === UNIX_SOCKET ? text : null;
}
