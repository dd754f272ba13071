import { parseAddress, parseHost, type Address } from './address.js';
import type { HeaderMap } from './headers.js';
import { isPublicAddress } from './special-purpose-addresses.js';

/** Headers that every proxy on the way appends to, its peer's address last. */
export const LIST_HEADERS = ['x-forwarded-for', 'forwarded'] as const;

/** Headers with one address that the site's own proxy sets to the address of its peer, which may be another proxy. */
export const PEER_HEADERS: ReadonlySet<string> = new Set(['x-real-ip', 'x-client-ip', 'x-cluster-client-ip']);

/** Headers with one address that a CDN or hosting platform sets to the address of its visitor. */
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

/** Single-address headers that are believed by default. */
export const SINGLE_HEADERS: ReadonlySet<string> = new Set([...PEER_HEADERS, ...VISITOR_HEADERS]);

/** Single-address headers that are only believed of a proxy network that sends them. */
const NETWORK_HEADERS = [
  'ali-cdn-real-ip',
  'ali-real-client-ip',
  'cf-connecting-ipv6',
  'eo-connecting-ip',
  'incap-client-ip',
  'x-sucuri-clientip',
  'x-vercel-forwarded-for',
];

/** Headers that proxies tell of a request with, of those that are read here or known by name. */
export const FORWARDING_HEADERS: ReadonlySet<string> = new Set([
  ...LIST_HEADERS,
  ...SINGLE_HEADERS,
  ...NETWORK_HEADERS,
  'x-forwarded-host',
  'x-forwarded-proto',
  'client-ip',
  'via',
]);
/** What others are called. */
const FORWARDING_PART = /forwarded-|original-|envoy-|connecting-ip|client-ip|real-ip/;

/** Returns whether a header says that somebody else is behind a connection. Its name is in lower case. */
export const isForwardingHeader = (name: string): boolean => FORWARDING_HEADERS.has(name) || FORWARDING_PART.test(name);

/** An entry that names no address (`unknown`, `_hidden`, garbage) is `null`: it counts as missing, but keeps its place. */
export type Hop = Address | null;

/** Only the right end matters: what lies further left than this was written by the visitor or by nobody we know. */
const MAX_ENTRIES = 20;
/** Characters, for the same reason: empty entries don't count, and lists are read more than once. */
const MAX_LENGTH = 4_096;

/**
 * The entries of a header from right to left, nearest proxy first, at most 20, of at most 4,096 characters; what goes on
 * further left is one entry without an address. `null` when the header is absent or empty.
 */
export function hopsOf(headers: HeaderMap, name: string): Hop[] | null {
  const value = headers[name];
  if (value === undefined || value === '') return null;
  const hops = name === 'forwarded' ? forwardedHops(value) : singleOrListHops(headers, name, value);
  return hops.length === 0 ? null : hops;
}

function singleOrListHops(headers: HeaderMap, name: string, value: string): Hop[] {
  // Always `address:port`, and IPv6 without brackets.
  if (name === 'cloudfront-viewer-address') return [hopOf(value.slice(0, Math.max(value.lastIndexOf(':'), 0)))];
  const hops = forwardedForHops(value);
  const ipv6 = headers['cf-connecting-ipv6'];
  if (ipv6 === undefined) return hops;
  const pseudo = pseudoIpv4(headers);
  return pseudo === null ? hops : hops.map((hop) => (hop?.text === pseudo.text ? hopOf(ipv6) : hop));
}

/**
 * Returns the IPv4 address that Cloudflare put in place of a visitor's IPv6 address (Pseudo IPv4, "overwrite headers");
 * null if it didn't. It is in 240.0.0.0/4, where no visitor is; the real address is in `CF-Connecting-IPv6`.
 */
function pseudoIpv4(headers: HeaderMap): Address | null {
  const address = parseAddress(headers['cf-connecting-ip'] ?? '');
  return address?.family === 4 && address.value >= 0xf000_0000 ? address : null;
}

/**
 * Returns the entries of an `X-Forwarded-For` list from right to left, with null for each that isn't an address.
 * Limits are as in {@link hopsOf}.
 */
function forwardedForHops(value: string): Hop[] {
  // As nearly all are.
  if (value.length <= MAX_LENGTH && !value.includes(',')) {
    const only = value.trim();
    return only === '' ? [] : [hopOf(only)];
  }
  const hops: Hop[] = [];
  let end = value.length;
  while (end >= 0 && hops.length < MAX_ENTRIES) {
    const comma = end === 0 ? -1 : value.lastIndexOf(',', end - 1);
    if (comma < value.length - MAX_LENGTH - 1) {
      // It reaches beyond what is read, or is all that is left of something that does.
      hops.push(null);
      break;
    }
    const entry = value.slice(comma + 1, end).trim();
    // RFC 9110 section 5.6.1.2: empty list elements are ignored.
    if (entry !== '') hops.push(hopOf(entry));
    end = comma;
  }
  return hops;
}

/** One parameter of `Forwarded`, or none, and the character after it. */
const FORWARDED_PAIR = /(?:([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?([ \t,;]|$)/y;

/**
 * Reads `Forwarded` (RFC 7239). Empty elements and parameters are ignored (RFC 9110 section 5.6.1.2); ports and IPv6
 * addresses without quotes are accepted. A header that can't be read as a whole is one entry without an address, because
 * a visitor may have left a quote open.
 */
function forwardedHops(value: string): Hop[] {
  if (value.length > MAX_LENGTH) return [null];
  const hops: Hop[] = [];
  let element: Hop | undefined;
  let isEmpty = true;
  /** Whether a parameter ended in a space, after which only a separator may follow. */
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
      // An element with two addresses has none.
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

/** The well-known prefix for addresses of IPv4 (64:ff9b::/96, RFC 6052). */
const TRANSLATED = '0064ff9b0000000000000000';

/** Reads an entry. An IPv4 address that was translated to IPv6 is the IPv4 address, if it's a public one. */
function hopOf(text: string): Hop {
  const address = parseHost(text);
  return address?.family === 6 ? untranslated(address) : address;
}

/** Returns the public IPv4 address that a NAT64 address stands for; any other address as it is. */
export function untranslated(address: Address): Address {
  if (address.family === 4 || !address.value.startsWith(TRANSLATED)) return address;
  const value = Number.parseInt(address.value.slice(24), 16);
  const ipv4 = parseAddress([24, 16, 8, 0].map((bits) => (value >>> bits) & 255).join('.'))!;
  return isPublicAddress(ipv4) ? ipv4 : address;
}
