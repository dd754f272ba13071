import ipaddr from 'ipaddr.js';

/** An IP address in a form made for comparing; `text` is what is shown and stored. */
export type Address =
  | { family: 4; text: string; /** As an unsigned 32-bit number. */ value: number }
  | { family: 6; text: string; /** 32 lower-case hexadecimal digits, which sort as the addresses do. */ value: string };

const LONGEST_IPV6 = 45;

/**
 * Reads one bare address, or `null` when it is malformed.
 *
 * `text` is canonical: dotted decimal, or RFC 5952 (lower case, longest run of zeros compressed). IPv4-mapped IPv6
 * (`::ffff:192.0.2.1`) becomes the IPv4 address; a zone id is dropped. Shorthand, octal, hexadecimal and leading zeros
 * in IPv4 are refused, since readers differ on what they mean.
 */
export function parseAddress(text: string): Address | null {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

/** As {@link parseAddress}, with the port (`192.0.2.1:443`, `[2001:db8::1]:443`) and brackets that proxies add. */
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

/** RFC 7239 section 6 allows an obfuscated port (`_abc`) as well. */
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

function parseIpv6(text: string): Address | null {
  const zone = text.indexOf('%');
  const bare = withHexTail(zone === -1 ? text : text.slice(0, zone));
  if (bare === null || bare.length > LONGEST_IPV6) return null;
  const parsed = readIpv6(bare);
  if (parsed === null) return null;
  if (isMapped(parsed.parts)) return parseIpv4(parsed.toIPv4Address().toString());
  const value = parsed.parts.map((part) => part.toString(16).padStart(4, '0')).join('');
  return { family: 6, text: parsed.toRFC5952String(), value };
}

function readIpv6(text: string): ipaddr.IPv6 | null {
  try {
    return ipaddr.IPv6.parse(text);
  } catch {
    return null;
  }
}

/** In `::ffff:0:0/96`, RFC 4291 section 2.5.5.2. */
function isMapped(parts: readonly number[]): boolean {
  return parts[5] === 0xffff && parts.every((part, index) => part === 0 || index >= 5);
}

/** `::ffff:192.0.2.1` → `::ffff:c000:201`: the dotted tail is held to the same strictness as any IPv4 address. */
function withHexTail(text: string): string | null {
  if (!text.includes('.')) return text;
  const start = text.lastIndexOf(':') + 1;
  const tail = parseIpv4(text.slice(start));
  if (tail?.family !== 4) return null;
  return `${text.slice(0, start)}${Math.floor(tail.value / 65_536).toString(16)}:${(tail.value % 65_536).toString(16)}`;
}
