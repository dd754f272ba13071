import { parseAddress, parseHost, type Address } from './address.js';
import type { HeaderMap } from './headers.js';
import { isPublicAddress } from './special-purpose-addresses.js';

/** Headers to which each proxy appends its peer's address. */
export const LIST_HEADERS = ['x-forwarded-for', 'forwarded'] as const;

/** Single-address headers that the site's own proxy sets to its peer's address. The peer may be another proxy. */
export const PEER_HEADERS: ReadonlySet<string> = new Set(['x-real-ip', 'x-client-ip', 'x-cluster-client-ip']);

/** Single-address headers that a CDN or hosting platform sets to the visitor's address. */
const VISITOR_HEADERS = [
  'cf-connecting-ip',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'cloudfront-viewer-address',
  'do-connecting-ip',
  'x-azure-clientip',
  'x-appengine-user-ip',
  'x-nf-client-connection-ip',
];

/** Single-address headers that are trusted by default. */
export const SINGLE_HEADERS: ReadonlySet<string> = new Set([...PEER_HEADERS, ...VISITOR_HEADERS]);

/** Single-address headers that are only trusted if they come from the proxy network that sets them. */
const NETWORK_HEADERS = [
  'ali-cdn-real-ip',
  'ali-real-client-ip',
  'cf-connecting-ipv6',
  'eo-connecting-ip',
  'incap-client-ip',
  'x-sucuri-clientip',
  'x-vercel-forwarded-for',
];

/** Well-known headers that proxies use to describe the original request. */
export const FORWARDING_HEADERS: ReadonlySet<string> = new Set([
  ...LIST_HEADERS,
  ...SINGLE_HEADERS,
  ...NETWORK_HEADERS,
  'x-forwarded-host',
  'x-forwarded-proto',
  'client-ip',
  'via',
]);
/** Substrings that identify other forwarding headers. */
const FORWARDING_NAME_PART = /forwarded-|original-|envoy-|connecting-ip|client-ip|real-ip/;

/** Returns true if a header indicates a forwarded request. The name must be lowercase. */
export const isForwardingHeader = (name: string): boolean =>
  FORWARDING_HEADERS.has(name) || FORWARDING_NAME_PART.test(name);

/**
 * Entry in a forwarding header. An entry without an address (`unknown`, `_hidden` or garbage) is `null`, so the other
 * entries don't change position.
 */
export type Hop = Address | null;

/** Maximum number of entries to read. Entries further left come from the visitor or from unknown proxies. */
const MAX_ENTRIES = 20;
/** Maximum number of characters to read. Limits the cost of lists with many empty entries. */
const MAX_HEADER_LENGTH = 4_096;

/**
 * Parses a header's entries from right to left, so the nearest proxy comes first. Returns at most 20 entries, or `null`
 * if the header is missing or empty. Text beyond the last 4,096 characters becomes a single `null` entry. An oversized
 * `Forwarded` header becomes a single `null` entry as a whole.
 */
export function parseHops(headers: HeaderMap, name: string): Hop[] | null {
  const value = headers[name];
  if (value === undefined || value === '') return null;
  const hops = name === 'forwarded' ? parseForwarded(value) : parseSingleOrListHops(headers, name, value);
  return hops.length === 0 ? null : hops;
}

function parseSingleOrListHops(headers: HeaderMap, name: string, value: string): Hop[] {
  // The format is always `address:port`. IPv6 addresses have no brackets.
  if (name === 'cloudfront-viewer-address') return [parseHop(value.slice(0, Math.max(value.lastIndexOf(':'), 0)))];
  const hops = parseForwardedFor(value);
  const ipv6 = headers['cf-connecting-ipv6'];
  if (ipv6 === undefined) return hops;
  const pseudo = findPseudoIpv4(headers);
  return pseudo === null ? hops : hops.map((hop) => (hop?.text === pseudo.text ? parseHop(ipv6) : hop));
}

/**
 * Returns the pseudo IPv4 address that Cloudflare substituted for a visitor's IPv6 address (Pseudo IPv4, "overwrite
 * headers"), or null if there is none. It is in 240.0.0.0/4, which no visitor can have. `CF-Connecting-IPv6` contains
 * the real address.
 */
function findPseudoIpv4(headers: HeaderMap): Address | null {
  const address = parseAddress(headers['cf-connecting-ip'] ?? '');
  return address?.family === 4 && address.value >= 0xf000_0000 ? address : null;
}

/** Parses an `X-Forwarded-For` list from right to left. The limits of {@link parseHops} apply. */
function parseForwardedFor(value: string): Hop[] {
  // Fast path: nearly all lists contain a single entry.
  if (value.length <= MAX_HEADER_LENGTH && !value.includes(',')) {
    const only = value.trim();
    return only === '' ? [] : [parseHop(only)];
  }
  const hops: Hop[] = [];
  let end = value.length;
  while (end >= 0 && hops.length < MAX_ENTRIES) {
    const comma = end === 0 ? -1 : value.lastIndexOf(',', end - 1);
    if (comma < value.length - MAX_HEADER_LENGTH - 1) {
      // The entry starts beyond the limit.
      hops.push(null);
      break;
    }
    const entry = value.slice(comma + 1, end).trim();
    // Empty list elements are ignored (RFC 9110 section 5.6.1.2).
    if (entry !== '') hops.push(parseHop(entry));
    end = comma;
  }
  return hops;
}

/** Optional `Forwarded` parameter, followed by a separator or the end of the header. */
const FORWARDED_PAIR = /(?:([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?([ \t,;]|$)/y;

/**
 * Parses `Forwarded` (RFC 7239). Ignores empty elements and parameters (RFC 9110 section 5.6.1.2). Accepts unquoted
 * ports and IPv6 addresses. A malformed header becomes a single `null` entry, because a visitor may have left a quote
 * open to swallow the entries that proxies append.
 */
function parseForwarded(value: string): Hop[] {
  if (value.length > MAX_HEADER_LENGTH) return [null];
  const hops: Hop[] = [];
  let element: Hop | undefined;
  let isEmpty = true;
  /** Whether a parameter was just parsed. Only whitespace and a separator may follow. */
  let isAfterParameter = false;
  FORWARDED_PAIR.lastIndex = 0;
  while (FORWARDED_PAIR.lastIndex < value.length) {
    const pair = FORWARDED_PAIR.exec(value);
    if (pair === null) return [null];
    const [, name, quoted, token, end] = pair;
    if (name !== undefined) {
      if (isAfterParameter) return [null];
      isEmpty = false;
      isAfterParameter = true;
      // An element with two addresses is ambiguous, so both are discarded.
      if (name.toLowerCase() === 'for')
        element = element === undefined ? parseHop(unescapeQuoted(quoted) ?? token ?? '') : null;
    }
    if (end === ',' || end === ';') isAfterParameter = false;
    if (end !== ',' || isEmpty) continue;
    hops.unshift(element ?? null);
    element = undefined;
    isEmpty = true;
  }
  if (!isEmpty) hops.unshift(element ?? null);
  return hops.slice(0, MAX_ENTRIES);
}

const unescapeQuoted = (text: string | undefined): string | undefined => text?.replaceAll(/\\(.)/g, '$1');

/** Well-known NAT64 prefix (64:ff9b::/96, RFC 6052). */
const NAT64_PREFIX = '0064ff9b0000000000000000';

/** Parses an entry. NAT64 addresses are converted to IPv4. */
function parseHop(text: string): Hop {
  const address = parseHost(text);
  return address?.family === 6 ? extractNat64Address(address) : address;
}

/** Extracts the public IPv4 address embedded in a NAT64 address. Returns all other addresses unchanged. */
export function extractNat64Address(address: Address): Address {
  if (address.family === 4 || !address.value.startsWith(NAT64_PREFIX)) return address;
  const value = Number.parseInt(address.value.slice(24), 16);
  const ipv4 = parseAddress([24, 16, 8, 0].map((bits) => (value >>> bits) & 255).join('.'))!;
  return isPublicAddress(ipv4) ? ipv4 : address;
}
