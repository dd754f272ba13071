import { parseAddress, parseHost, type Address } from './address.js';
import type { HeaderMap } from './headers.js';
import { isPublicAddress } from './special-purpose-addresses.js';

/** Headers to which every proxy appends the address of its peer. */
export const LIST_HEADERS = ['x-forwarded-for', 'forwarded'] as const;

/** Single-address headers that the site's own proxy sets to the address of its peer, which may be another proxy. */
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

/** Single-address headers that are only trusted from the proxy network that sends them. */
const NETWORK_HEADERS = [
  'ali-cdn-real-ip',
  'ali-real-client-ip',
  'cf-connecting-ipv6',
  'eo-connecting-ip',
  'incap-client-ip',
  'x-sucuri-clientip',
  'x-vercel-forwarded-for',
];

/** Known headers in which proxies describe the original request. */
export const FORWARDING_HEADERS: ReadonlySet<string> = new Set([
  ...LIST_HEADERS,
  ...SINGLE_HEADERS,
  ...NETWORK_HEADERS,
  'x-forwarded-host',
  'x-forwarded-proto',
  'client-ip',
  'via',
]);
/** Parts of the names of other forwarding headers. */
const FORWARDING_PART = /forwarded-|original-|envoy-|connecting-ip|client-ip|real-ip/;

/** Returns whether a header shows that a request was forwarded. The name must be lowercase. */
export const isForwardingHeader = (name: string): boolean => FORWARDING_HEADERS.has(name) || FORWARDING_PART.test(name);

/**
 * Entry of a forwarding header. `null` if it contains no address (`unknown`, `_hidden`, garbage), so that others keep
 * their positions.
 */
export type Hop = Address | null;

/** Maximum number of entries to read. Those further left were written by the visitor, or by unknown proxies. */
const MAX_ENTRIES = 20;
/** Maximum number of characters to read. Limits the cost of empty entries, which aren't counted. */
const MAX_LENGTH = 4_096;

/**
 * Returns the entries of a header from right to left, nearest proxy first. Reads at most 20 entries. If the header is
 * longer than 4,096 characters, the rest is one entry without an address. For `Forwarded`, this is the entire header.
 * Returns `null` if the header is absent or empty.
 */
export function hopsOf(headers: HeaderMap, name: string): Hop[] | null {
  const value = headers[name];
  if (value === undefined || value === '') return null;
  const hops = name === 'forwarded' ? forwardedHops(value) : singleOrListHops(headers, name, value);
  return hops.length === 0 ? null : hops;
}

function singleOrListHops(headers: HeaderMap, name: string, value: string): Hop[] {
  // The format is always `address:port`, with IPv6 addresses unbracketed.
  if (name === 'cloudfront-viewer-address') return [hopOf(value.slice(0, Math.max(value.lastIndexOf(':'), 0)))];
  const hops = forwardedForHops(value);
  const ipv6 = headers['cf-connecting-ipv6'];
  if (ipv6 === undefined) return hops;
  const pseudo = pseudoIpv4(headers);
  return pseudo === null ? hops : hops.map((hop) => (hop?.text === pseudo.text ? hopOf(ipv6) : hop));
}

/**
 * Returns the IPv4 address with which Cloudflare replaced a visitor's IPv6 address (Pseudo IPv4, "overwrite headers"),
 * or null if it didn't. It is in 240.0.0.0/4, which no visitor has. `CF-Connecting-IPv6` contains the real address.
 */
function pseudoIpv4(headers: HeaderMap): Address | null {
  const address = parseAddress(headers['cf-connecting-ip'] ?? '');
  return address?.family === 4 && address.value >= 0xf000_0000 ? address : null;
}

/**
 * Returns the entries of an `X-Forwarded-For` list from right to left, with null for invalid ones. Has the same limits
 * as {@link hopsOf}.
 */
function forwardedForHops(value: string): Hop[] {
  // Fast path: nearly all lists have one entry.
  if (value.length <= MAX_LENGTH && !value.includes(',')) {
    const only = value.trim();
    return only === '' ? [] : [hopOf(only)];
  }
  const hops: Hop[] = [];
  let end = value.length;
  while (end >= 0 && hops.length < MAX_ENTRIES) {
    const comma = end === 0 ? -1 : value.lastIndexOf(',', end - 1);
    if (comma < value.length - MAX_LENGTH - 1) {
      // The entry starts before the part that is read.
      hops.push(null);
      break;
    }
    const entry = value.slice(comma + 1, end).trim();
    // Empty list elements are ignored (RFC 9110 section 5.6.1.2).
    if (entry !== '') hops.push(hopOf(entry));
    end = comma;
  }
  return hops;
}

/** Optional parameter of `Forwarded`, followed by a separator or the end. */
const FORWARDED_PAIR = /(?:([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?([ \t,;]|$)/y;

/**
 * Parses `Forwarded` (RFC 7239). Ignores empty elements and parameters (RFC 9110 section 5.6.1.2). Accepts unquoted
 * ports and IPv6 addresses. A malformed header is one entry without an address, because a visitor may have left a quote
 * open.
 */
function forwardedHops(value: string): Hop[] {
  if (value.length > MAX_LENGTH) return [null];
  const hops: Hop[] = [];
  let element: Hop | undefined;
  let isEmpty = true;
  /** Whether a parameter has ended. Only spaces and separators may follow. */
  let isSpaced = false;
  FORWARDED_PAIR.lastIndex = 0;
  while (FORWARDED_PAIR.lastIndex < value.length) {
    const pair = FORWARDED_PAIR.exec(value);
    if (pair === null) return [null];
    const [, name, quoted, token, end] = pair;
    if (name !== undefined) {
      if (isSpaced) return [null];
      isEmpty = false;
      isSpaced = true;
      // If an element has two addresses, neither counts.
      if (name.toLowerCase() === 'for') element = element === undefined ? hopOf(unquoted(quoted) ?? token ?? '') : null;
    }
    if (end === ',' || end === ';') isSpaced = false;
    if (end !== ',' || isEmpty) continue;
    hops.unshift(element ?? null);
    element = undefined;
    isEmpty = true;
  }
  if (!isEmpty) hops.unshift(element ?? null);
  return hops.slice(0, MAX_ENTRIES);
}

const unquoted = (text: string | undefined): string | undefined => text?.replaceAll(/\\(.)/g, '$1');

/** Well-known NAT64 prefix of IPv4 addresses (64:ff9b::/96, RFC 6052). */
const TRANSLATED = '0064ff9b0000000000000000';

/** Parses an entry. Converts NAT64 addresses to the public IPv4 addresses they contain. */
function hopOf(text: string): Hop {
  const address = parseHost(text);
  return address?.family === 6 ? untranslated(address) : address;
}

/** Returns the public IPv4 address in a NAT64 address. Returns any other address unchanged. */
export function untranslated(address: Address): Address {
  if (address.family === 4 || !address.value.startsWith(TRANSLATED)) return address;
  const value = Number.parseInt(address.value.slice(24), 16);
  const ipv4 = parseAddress([24, 16, 8, 0].map((bits) => (value >>> bits) & 255).join('.'))!;
  return isPublicAddress(ipv4) ? ipv4 : address;
}
