import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Parsed IP address. `text` is the canonical form for display and storage. `value` is for comparisons. */
export type Address =
  | { family: 4; text: string; /** Unsigned 32-bit integer. */ value: number }
  | { family: 6; text: string; /** 32 lowercase hexadecimal digits, which sort in address order. */ value: string };

const MAX_IPV6_LENGTH = 45;

/**
 * Parses an IP address without a port or brackets. Returns `null` if it is malformed.
 *
 * The canonical text is dotted decimal for IPv4 and follows RFC 5952 for IPv6. IPv4-mapped IPv6 addresses
 * (`::ffff:192.0.2.1`) become IPv4 addresses, and zone IDs are dropped. IPv4 addresses with shorthand notation, octal,
 * hexadecimal or leading zeros are rejected, because parsers disagree on their meaning.
 */
export function parseAddress(text: string): Address | null {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

/** Like {@link parseAddress}, but also accepts a port and brackets: `192.0.2.1:443`, `[2001:db8::1]:443`. */
export function parseHost(text: string): Address | null {
  if (text.startsWith('[')) {
    const end = text.indexOf(']');
    if (end === -1 || !isPortSuffix(text.slice(end + 1))) return null;
    const inside = text.slice(1, end);
    return inside.includes(':') ? parseIpv6(inside) : null;
  }
  const colon = text.indexOf(':');
  if (colon === -1 || text.includes(':', colon + 1)) return parseAddress(text);
  return isPortSuffix(text.slice(colon)) ? parseIpv4(text.slice(0, colon)) : null;
}

/** Returns true if the text is empty, a port or an obfuscated port such as `:_abc` (RFC 7239 section 6). */
function isPortSuffix(text: string): boolean {
  return text === '' || /^:(?:\d{1,5}|_[\w.-]{1,64})$/.test(text);
}

function parseIpv4(text: string): Address | null {
  if (text.length < 7 || text.length > 15) return null;
  let value = 0;
  let octet = -1;
  let octets = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index === text.length ? 0x2e : text.charCodeAt(index);
    if (code === 0x2e) {
      if (octet < 0) return null;
      value = value * 256 + octet;
      octets++;
      octet = -1;
    } else {
      if (code < 0x30 || code > 0x39 || octet === 0) return null;
      octet = (octet < 0 ? 0 : octet * 10) + code - 0x30;
      if (octet > 255) return null;
    }
  }
  return octets === 4 ? { family: 4, text, value } : null;
}

/** Recently parsed IPv6 addresses. Identifying a visit requires its address several times. */
const ipv6Cache = new LRUCache<string, Address>({ max: 1_000 });

function parseIpv6(text: string): Address | null {
  const cached = ipv6Cache.get(text);
  if (cached !== undefined) return cached;
  const address = parseNewIpv6(text);
  // A zone can have any length.
  if (address !== null && text.length <= MAX_IPV6_LENGTH) ipv6Cache.set(text, address);
  return address;
}

function parseNewIpv6(text: string): Address | null {
  const zone = text.indexOf('%');
  const unscoped = embeddedIpv4ToHex(zone === -1 ? text : text.slice(0, zone));
  if (unscoped === null || unscoped.length > MAX_IPV6_LENGTH) return null;
  const parsed = tryParseIpv6(unscoped);
  if (parsed === null) return null;
  if (isMapped(parsed.parts)) return parseIpv4(parsed.toIPv4Address().toString());
  const value = parsed.parts.map((part) => part.toString(16).padStart(4, '0')).join('');
  return { family: 6, text: parsed.toRFC5952String(), value };
}

function tryParseIpv6(text: string): ipaddr.IPv6 | null {
  try {
    return ipaddr.IPv6.parse(text);
  } catch {
    return null;
  }
}

/** Returns true for addresses in `::ffff:0:0/96` (RFC 4291 section 2.5.5.2). */
function isMapped(parts: readonly number[]): boolean {
  return parts[5] === 0xffff && parts.every((part, index) => part === 0 || index >= 5);
}

/**
 * Converts an embedded IPv4 address to hex: `::ffff:192.0.2.1` → `::ffff:c000:201`. Returns null if it isn't a valid
 * IPv4 address.
 */
function embeddedIpv4ToHex(text: string): string | null {
  if (!text.includes('.')) return text;
  const start = text.lastIndexOf(':') + 1;
  const tail = parseIpv4(text.slice(start));
  if (tail?.family !== 4) return null;
  return `${text.slice(0, start)}${Math.floor(tail.value / 65_536).toString(16)}:${(tail.value % 65_536).toString(16)}`;
}
